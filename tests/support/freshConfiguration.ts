import { inTest, resetConfiguration } from './configuration.ts'

// A set-up file, which runs before each test file: what the file before it configured is forgotten.
resetConfiguration()
inTest(undefined)
