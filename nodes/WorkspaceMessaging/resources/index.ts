import { aiAgents } from './aiAgent';
import { broadcasts } from './broadcast';
import { channels } from './channel';
import { contacts } from './contact';
import { customFields } from './customField';
import { flows } from './flow';
import { members } from './member';
import { sequences } from './sequence';
import type { Resource } from './shared/describe';
import { tags } from './tag';
import { teams } from './team';
import { workspaces } from './workspace';

/** All resources of the node, in the order of the Resource dropdown. */
export const resources: Resource[] = [
	aiAgents,
	broadcasts,
	channels,
	contacts,
	customFields,
	flows,
	members,
	sequences,
	tags,
	teams,
	workspaces,
];
