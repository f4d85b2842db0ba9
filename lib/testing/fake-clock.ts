/** The clock of tests: it advances only when a test moves it. */
export { createSimulatedClock as createFakeClock, type SimulatedClock as FakeClock } from '../std/simulated-clock'
