/** The items of a growing list that came after one of them; all of them where it was undefined, or is forgotten by now. */
export function itemsAfter<T>(items: readonly T[], last: T | undefined): T[] {
  return last === undefined ? [...items] : items.slice(items.lastIndexOf(last) + 1)
}
