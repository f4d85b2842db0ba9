/** Re-exports the drain taint for the console. */
export { DRAIN_TAINT } from '@/lib/domain/eviction'
