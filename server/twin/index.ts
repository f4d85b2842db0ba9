/** Twins of real federations. See README.md. */
export { exportText, isExportFile, readExport, writeExport } from './export-file'
export { type FederationRead, readFederation, type ReadOptions } from './read-federation'
export { seedControlPlane, type SeededTwin, type SeedOptions, type SeedTarget } from './seed'
export { takeExport } from './take-export'
export { TwinError } from './twin-error'
