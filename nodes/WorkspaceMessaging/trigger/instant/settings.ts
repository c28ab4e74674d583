import type { IHookFunctions, INodeProperties, IWebhookFunctions } from 'n8n-workflow';
import type { Field } from '../../execution/operation';
import { panelField, simplify } from '../../resources/shared/fields';
import { isObject } from '../../transport/guards';
import { labelsOf } from '../../validation/labels';
import { validate } from '../../validation/validate';
import { hash, stableStringify } from '../fingerprint';
import { instantEvents } from './events';
import type { InstantEvent, Parameters } from './events';

const [flowEvent] = instantEvents;

const eventNames = Object.fromEntries(instantEvents.map(({ value, name }) => [value, name]));

/** The line below the trigger on the canvas: the name of the event. */
export const instantSubtitle = `={{ (${JSON.stringify(eventNames)})[$parameter["event"]] }}`;

const eventField: INodeProperties = {
	displayName: 'Trigger On',
	name: 'event',
	type: 'options',
	noDataExpression: true,
	options: instantEvents.map(({ name, value, description }) => ({ name, value, description })),
	default: 'flowSendsData',
};

const notices: Field[] = [
	{
		displayName:
			'The service tells n8n only what happens on a channel or in a flow. For messages, and for changes by the API, the dashboard or an import, use Workspace Messaging Trigger. If calls stop arriving, unpublish and publish the workflow.',
		name: 'notice',
		type: 'notice',
		default: '',
		displayOptions: { hide: { event: [flowEvent.value] } },
	},
	{
		displayName:
			'In your flow, add a step that sends data to n8n, with the same event name. If calls stop arriving, unpublish and publish the workflow.',
		name: 'flowNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { event: [flowEvent.value] } },
	},
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
			description: 'The flow takes its error branch if the workflow fails or needs more than 15 seconds',
		},
	],
	default: 'onReceived',
	hint: 'A flow waits 15 seconds at most; after that, or if the answer is an error, it takes its error branch',
	displayOptions: { show: { event: [flowEvent.value] } },
};

/** n8n evaluates this for each call. */
export const responseMode = `={{ $parameter["event"] === "${flowEvent.value}" && $parameter["respond"] || "onReceived" }}`;

const readContactField: Field = {
	displayName: 'Read the Contact',
	name: 'readContact',
	type: 'boolean',
	default: true,
	description:
		'Whether to ask the service for the contact instead of trusting the call. If it does not answer within 5 seconds, the workflow starts with what the call says.',
};

const simplifyContact: Field = { ...simplify, displayOptions: { show: { readContact: [true] } } };

const eventsWith = (field: Field) => instantEvents.filter(({ fields }) => fields.includes(field));

/** The fields of all events, each shown for its events. */
const eventFields = [...new Set(instantEvents.flatMap(({ fields }) => fields))].map((field) => {
	const event = eventsWith(field).map(({ value }) => value);
	const { displayOptions } = field;
	return { ...field, displayOptions: { ...displayOptions, show: { ...displayOptions?.show, event } } };
});

/** All fields of the trigger in the panel. */
export const instantFields = [
	eventField,
	...[...notices, ...eventFields, respondField, readContactField, simplifyContact].map(panelField),
];

const labels = labelsOf(instantFields);

/** What the user entered in the panel. */
export interface InstantSettings {
	event: InstantEvent;
	parameters: Parameters;
	/**
	 * A text of 16 characters that stands for what the service is to call n8n for. Keys of published workflows contain it, and
	 * n8n does not register them again after an update of the package, so the same settings must keep the same text.
	 */
	subject: string;
}

/** Reads and validates what the user entered in the panel. */
export function readSettings(context: IHookFunctions | IWebhookFunctions): InstantSettings {
	const valueOf = (name: string) => {
		const value = context.getNodeParameter(name, null);
		return isObject(value) && value.__rl === true ? value.value : value;
	};
	const event = instantEvents.find(({ value }) => value === valueOf('event'));
	if (!event) throw new Error(`There is no event "${String(valueOf('event'))}". Choose one in Trigger On.`);
	const entered = Object.keys(event.parameters.shape).map((name) => [name, valueOf(name)]);
	const { params } = validate({ params: event.parameters }, { params: Object.fromEntries(entered) }, labels);
	const parameters = params as Parameters;
	const condition = event.condition?.(parameters) ?? parameters;
	return { event, parameters, subject: hash(stableStringify({ event: event.value, condition }), 16) };
}
