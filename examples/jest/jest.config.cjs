module.exports = {
  rootDir: __dirname,
  setupFilesAfterEnv: ['expect-a2a/jest'],
  testEnvironment: 'node',
  testTimeout: 30_000,
  transform: {},
}
