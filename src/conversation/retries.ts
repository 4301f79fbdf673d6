/** The chance that an agent passes a test of several trials, when it passes one conversation with the chance `conversation`. */
export function chanceOfPassing(conversation: number, trials: number, passRate: number): number {
  const needed = Math.ceil(passRate * trials - 1e-9)
  let sum = 0
  for (let passes = needed; passes <= trials; passes++) {
    sum += ways(trials, passes) * conversation ** passes * (1 - conversation) ** (trials - passes)
  }
  return sum
}

function ways(of: number, chosen: number): number {
  let product = 1
  for (let each = 0; each < chosen; each++) product = (product * (of - each)) / (each + 1)
  return product
}
