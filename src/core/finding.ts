export { addFindings } from '../findings/addFindings.ts'
export type { Decoded, Finding, Level } from '../findings/types.ts'
