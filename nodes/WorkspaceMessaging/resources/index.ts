import { aiAgents } from './aiAgent';
import { broadcasts } from './broadcast';
import { channels } from './channel';
import { contacts } from './contact';
import { conversations } from './conversation';
import { customFields } from './customField';
import { flows } from './flow';
import { members } from './member';
import { messages } from './message';
import { sequences } from './sequence';
import type { Resource } from '../run/operation';
import { tags } from './tag';
import { teams } from './team';
import { templates } from './template';
import { workspaces } from './workspace';

/**
 * All resources of the node, in the order of the Resource dropdown and of the list of actions: the
 * most used first.
 */
export const resources: Resource[] = [
	messages,
	conversations,
	contacts,
	templates,
	tags,
	customFields,
	flows,
	sequences,
	broadcasts,
	channels,
	members,
	teams,
	workspaces,
	aiAgents,
];
