/** The name that was most likely meant, when one is near enough to be a slip; undefined otherwise. */
export function nearest(given: string, names: readonly string[]): string | undefined {
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  const wanted = plain(given)
  let best: string | undefined
  let least = Math.max(2, Math.floor(given.length / 3)) + 1
  for (const name of names) {
    const candidate = plain(name)
    // `timeoutMs` for `deadlineMs` is no slip of the fingers, but `deadline` is short for it.
    const distance =
      wanted.length > 2 && (candidate.startsWith(wanted) || wanted.startsWith(candidate))
        ? 1
        : editDistance(wanted, candidate)
    if (distance < least) {
      least = distance
      best = name
    }
  }
  return best
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
