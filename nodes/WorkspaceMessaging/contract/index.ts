/**
 * The API's contract (parts 2, 4, 5 and 8 of the reference): the only place where its fields and limits are stated. What the
 * reference lacks is in `beyondReference.ts`, so that whoever takes all of this takes the reference.
 */
export * from './aiAgent';
export * from './broadcast';
export * from './channel';
export * from './contact';
export * from './customField';
export * from './endpoint';
export * from './flow';
export * from './limits';
export * from './member';
export * from './sequence';
export * from './tag';
export * from './team';
export * from './workspace';
