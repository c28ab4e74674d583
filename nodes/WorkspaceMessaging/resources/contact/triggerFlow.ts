import type { INodeProperties } from 'n8n-workflow';
import { triggerFlow } from '../../contract';
import { route } from '../../routing/operation';
import { optional, showFor } from '../shared/fields';
import { contactLocator, locator, sendingChannel } from '../shared/locators';

export const triggerFlowFields: INodeProperties[] = showFor('contact', 'triggerFlow', [
	locator({
		displayName: 'Flow',
		name: 'flowId',
		required: true,
		description: 'The flow to start for the contact',
		thing: 'a flow',
		searchListMethod: 'searchFlows',
	}),
	optional('options', [sendingChannel]),
]);

export const triggerFlowRouting = route(triggerFlow, [contactLocator, ...triggerFlowFields], {
	done: ({ params, body }) => ({ contact: params.identifier, triggered: true, ...(body as object) }),
});
