export * from './ApiError';
export * from './requestErrors';
export { sentence } from './render';
export type { FailedOutcome } from './render';
