export { codecFor } from './codecs.ts'
