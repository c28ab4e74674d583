import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { broadcastKinds } from '../../../contract/broadcast';
import { limits } from '../../../contract/limits';
import { numericId, oneOf } from '../../../contract/values';
import { inBody, toSortedOptions } from '../../../panel/fields';
import { lookups } from '../../../panel/lookups';
import { locator } from '../../../panel/lookups/locators';
import { templateLocator, templateMapper } from '../../../panel/templateFields';
import type { Item } from '../../../run/item';
import type { Field } from '../../../run/operation';
import { checkBeforeRun, readChosenTemplate } from '../../../templates/chosen';
import { findTemplate } from '../../../templates/find';
import { checkMedia, uploadMedia } from '../../../templates/media';
import { toTemplateContent } from '../../../templates/templateData';
import { hintAtLostSpace, readTemplateValues } from '../../../templates/values';
import { requireField } from '../../../values/fieldError';

/* On which channel a broadcast goes out, and what it sends. */

/** The channel with templates that n8n can fill in. */
const WHATSAPP = 'whatsapp';
const ONLY_ACTIVE = `Only contacts who wrote in the last ${limits.activeHours} hours`;

const flowKinds = Object.entries(broadcastKinds).flatMap(([subaction, kind]) =>
	kind.content === 'flow'
		? kind.channels.map((value) => ({ value, subaction, reaches: kind.reaches }))
		: [],
);
const isForActive = (value: string) =>
	flowKinds.some((kind) => kind.value === value && kind.reaches === 'active');

const channel = inBody({
	displayName: 'Channel',
	name: 'channel',
	type: 'options',
	noDataExpression: true,
	options: toSortedOptions(flowKinds.map(({ value }) => value)).map((option) =>
		option.value !== WHATSAPP && isForActive(option.value)
			? { ...option, description: ONLY_ACTIVE }
			: option,
	),
	default: WHATSAPP,
	description: 'Only contacts on this channel get the broadcast',
});

const onWhatsapp = { channel: [WHATSAPP] };

const content = inBody({
	displayName: 'Content',
	name: 'content',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'Flow', value: 'flow', description: ONLY_ACTIVE },
		{ name: 'Template', value: 'template', description: 'All contacts of its phone number' },
	],
	default: 'template',
	displayOptions: { show: onWhatsapp },
});

const flow = locator(lookups.flows, 'flowId', { required: true });
const ofTemplate = { show: { ...onWhatsapp, content: ['template'] } };

/** The channel and the flow or template. */
export const contentFields: Field[] = [
	channel,
	content,
	{ ...flow, displayOptions: { hide: onWhatsapp } },
	{ ...flow, displayOptions: { show: { ...onWhatsapp, content: ['flow'] } } },
	{
		...templateLocator,
		displayOptions: ofTemplate,
		// Here, because n8n shows no description of a mapper.
		hint: 'All recipients get the same values; the service replaces its own variables, such as {{first_name}}',
	},
	{
		...templateMapper,
		displayOptions: { ...templateMapper.displayOptions, ...ofTemplate },
	},
];

/** What these fields hold. */
export const contentSchema = {
	channel: oneOf(flowKinds.map(({ value }) => value)),
	content: oneOf(['flow', 'template']).default('flow'),
	flowId: numericId.optional(),
	templateId: z.unknown(),
};

/** An item that creates a broadcast. */
export type ContentItem = Item<
	IDataObject,
	IDataObject,
	z.output<z.ZodObject<typeof contentSchema>>
>;

const sendsTemplate = ({ body }: ContentItem) => body.content === 'template';

/** Throws an error if there is nothing to send, or if the template or its values do not fit. */
export async function checkContent(item: ContentItem): Promise<void> {
	if (sendsTemplate(item)) {
		const choice = readChosenTemplate(item);
		await checkBeforeRun(item, async () => {
			const found = await findTemplate(item, choice, undefined);
			await checkMedia(item, found, readTemplateValues(item, found));
		});
	} else {
		requireField('Flow', item.body.flowId);
	}
}

/** Returns the channel and what to send, as the service takes it. Uploads files of a template. */
export async function readContent(item: ContentItem): Promise<IDataObject> {
	const { channel: value, flowId } = item.body;
	if (!sendsTemplate(item)) {
		const { subaction } = flowKinds.find((kind) => kind.value === value)!;
		return { channel: value, subaction, flowId };
	}
	const found = await findTemplate(item, readChosenTemplate(item), undefined);
	const entered = readTemplateValues(item, found);
	if (entered.hasLostSpace) hintAtLostSpace(item);
	return {
		channel: value,
		subaction: 'whatsappTemplateMessage',
		// The template belongs to one number, and only its contacts can get it.
		integrationWhatsappId: found.template.integrationWhatsappId,
		...toTemplateContent(found, await uploadMedia(item, found, entered)),
	};
}
