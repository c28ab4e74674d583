/**
 * The API as the reference shows it (parts 2, 4, 5 and 8). What services have beyond it is in `undocumented.ts`. The node
 * imports the files themselves; this index is for whoever needs all endpoints.
 */
export * from './broadcast';
export * from './channel';
export * from './contact';
export * from './customField';
export * from './endpoint';
export * from './limits';
export * from './message';
export * from './sequence';
export * from './tag';
export * from './workspace';
