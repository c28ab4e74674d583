import type { INodeType } from 'n8n-workflow';
import { WorkspaceMessagingInstantTrigger } from '../../../nodes/WorkspaceMessaging/trigger/instant/WorkspaceMessagingInstantTrigger.node';
import { WorkspaceMessaging } from '../../../nodes/WorkspaceMessaging/WorkspaceMessaging.node';
import { WorkspaceMessagingTrigger } from '../../../nodes/WorkspaceMessaging/WorkspaceMessagingTrigger.node';

/** The methods of a node that fill the lists of its fields, by the setting that names them. */
const FILLED_BY = {
	loadOptionsMethod: 'loadOptions',
	searchListMethod: 'listSearch',
	resourceMapperMethod: 'resourceMapping',
} as const;

test.each<[string, INodeType]>([
	['Workspace Messaging', new WorkspaceMessaging()],
	['Workspace Messaging Trigger', new WorkspaceMessagingTrigger()],
	['Workspace Messaging Instant Trigger', new WorkspaceMessagingInstantTrigger()],
])('%s has the method that fills each list of its panel', (_, { description, methods }) => {
	const fields = JSON.stringify(description.properties);
	const named = Object.entries(FILLED_BY).flatMap(([setting, kind]) =>
		[...fields.matchAll(new RegExp(`"${setting}":"(\\w+)"`, 'g'))].map(
			([, method]) => [kind, method] as const,
		),
	);
	expect(named).not.toEqual([]);
	expect(named.filter(([kind, method]) => !methods?.[kind]?.[method])).toEqual([]);
});
