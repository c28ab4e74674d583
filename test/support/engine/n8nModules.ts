import { shareModules } from '../shareModules';

// Tests import the same instances that our compiled node uses.
shareModules(['@n8n/backend-common', '@n8n/di', 'n8n-core', 'n8n-workflow', 'reflect-metadata']);
