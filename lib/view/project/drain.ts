/** The taint of a drain, for the console. */
export { DRAIN_TAINT } from '@/lib/domain/eviction'
