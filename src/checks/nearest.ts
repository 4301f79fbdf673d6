/** ` Did you mean "echo"?`, or nothing when no known word is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const near = nearest(word, known)
  return near === undefined ? '' : ` Did you mean "${near}"?`
}

/** The known word that takes the fewest edits, when they are few for its length; case and separators do not count. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const wanted = plain(word)
  let best: { word: string; edits: number } | undefined
  for (const candidate of known) {
    const edits = editsBetween(wanted, plain(candidate))
    const few = Math.max(1, Math.floor(candidate.length / 3))
    if (edits <= few && edits < (best?.edits ?? Infinity)) best = { word: candidate, edits }
  }
  return best?.word
}

function plain(word: string): string {
  return word.toLowerCase().replace(/[\s_-]/g, '')
}

function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(swap, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return row[b.length] as number
}
