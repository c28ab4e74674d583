import { shareModules } from './shareModules';

// They take half a second to load, and no test changes them.
shareModules(['n8n-workflow', 'zod/v4']);
