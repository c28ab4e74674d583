import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import type { Field } from '../../run/operation';
import { notice, panelField, simplify } from '../../panel/fields';
import { isObject } from '../../transport/guards';
import { labelsOf } from '../../values/labels';
import { validate } from '../../values/validate';
import { hash, stableStringify } from '../changes/fingerprints';
import { makeEventPanel, readEventFromPanel } from '../eventPanel';
import { instantEvents, type InstantEvent, type Parameters } from './events';

const [flowEvent, messageEvent] = instantEvents;

const {
	subtitle,
	fields: [eventField, ...eventFields],
} = makeEventPanel(
	instantEvents,
	flowEvent.value,
	'At once, from flows and channels. For every message and all other changes, use Workspace Messaging.',
);

const ADDRESS = "You don't have to copy the address: n8n registers it when you listen or publish.";
const LOST_CALLS = 'If calls stop arriving, unpublish and publish the workflow.';

const notices: Field[] = [
	notice(
		'notice',
		`Starts only for events on a channel or in a flow, not for messages, imports, or changes in the dashboard or by the API. ${ADDRESS} ${LOST_CALLS}`,
		{ hide: { event: [flowEvent.value, messageEvent.value] } },
	),
	notice(
		'flowNotice',
		`In your flow, add the step Trigger n8n (Make on some services), with the same event name. ${ADDRESS} ${LOST_CALLS}`,
		{ show: { event: [flowEvent.value] } },
	),
	notice(
		// n8n's notices know lists without numbers, and no other markup.
		'messageNotice',
		`What to do:<ul><li>In the workspace, open the flow that answers what contacts write, such as the default reply.</li><li>Add the step Trigger n8n (Make on some services) to it, with the event name below.</li><li>Publish the flow and this workflow. ${ADDRESS}</li></ul>If nothing comes: the bot must be in charge of the conversation, and no keyword, AI or open question of the workspace may take the message first. ${LOST_CALLS}`,
		{ show: { event: [messageEvent.value] } },
	),
	// No default name: two workflows would answer the same step. Without a name, n8n's button is grey
	// and says nothing.
	notice(
		'nameNotice',
		'Enter an event name of your own first. Without it, n8n cannot listen for a test event.',
		{ show: { event: [flowEvent.value, messageEvent.value], eventName: [''] } },
	),
];

/** When the step of a flow gets its answer, which decides the branch that the flow takes. */
const respondField: Field = {
	displayName: 'Respond',
	name: 'respond',
	type: 'options',
	options: [
		{
			name: 'Immediately',
			value: 'onReceived',
			description: 'The flow goes on as soon as n8n has checked the call',
		},
		{
			name: 'When the Workflow Finishes',
			value: 'lastNode',
			description:
				'The flow takes its error branch if the workflow fails or needs more than 15 seconds',
		},
	],
	default: 'onReceived',
	hint: 'A flow waits 15 seconds at most; after that, or if the answer is an error, it takes its error branch',
	displayOptions: { show: { event: [flowEvent.value] } },
};

/** n8n evaluates this for each call. */
const responseMode = `={{ $parameter["event"] === "${flowEvent.value}" && $parameter["respond"] || "onReceived" }}`;

const readContactField: Field = {
	displayName: 'Read the Contact',
	name: 'readContact',
	type: 'boolean',
	default: true,
	description:
		'Whether to ask the service for the contact instead of trusting the call. If it does not answer within 5 seconds, the workflow starts with the data of the call.',
	displayOptions: { hide: { event: [messageEvent.value] } },
};

const simplifyContactField: Field = {
	...simplify,
	displayOptions: { show: { readContact: [true] }, hide: { event: [messageEvent.value] } },
};

/** What the panel shows. */
export const instantPanel = {
	subtitle,
	responseMode,
	fields: [
		eventField,
		...notices.map(panelField),
		...eventFields,
		...[respondField, readContactField, simplifyContactField].map(panelField),
	],
};

const instantLabels = labelsOf(instantPanel.fields);

/** What the user entered in the panel. */
export interface InstantSettings {
	event: InstantEvent;
	parameters: Parameters;
	/**
	 * A text of 16 characters that stands for what the service is to call n8n for. Keys of published
	 * workflows contain it, and n8n does not register them again after an update of the package, so
	 * the same settings must keep the same text.
	 */
	subject: string;
}

/** Reads and validates what the user entered in the panel of the instant trigger. */
export function readInstantSettings(context: IHookFunctions | IWebhookFunctions): InstantSettings {
	const valueOf = (name: string) => {
		const value = context.getNodeParameter(name, null);
		const isLocator = isObject(value) && value.__rl === true;
		return isLocator ? value.value : value;
	};
	const panel = context.getNode().parameters;
	const { event, entered } = readEventFromPanel(instantEvents, panel, valueOf);
	const schemas = { params: event.parameters };
	const { params } = validate(schemas, { params: entered }, instantLabels);
	const parameters = params as Parameters;
	const { eventName } = parameters;
	const condition = event.condition?.(parameters) ?? { eventName };
	const calledFor = { event: event.value, condition };
	const subject = hash(stableStringify(calledFor), 16);
	return { event, parameters, subject };
}
