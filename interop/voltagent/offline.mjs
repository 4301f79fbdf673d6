// Imported first: when VoltAgent starts, it asks the network for announcements and for a list of models.
globalThis.fetch = () => Promise.reject(new TypeError('This agent stays on this machine.'))
