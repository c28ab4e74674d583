export * from './ApiError';
export { sentence } from './render';
export type { FailedOutcome } from './render';
