import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';
import { broadcastApi, broadcastTitle } from '../../contract/broadcast';
import { limits } from '../../contract/limits';
import { numericId, oneOf } from '../../contract/values';
import { inBody, optional } from '../../panel/fields';
import { locator } from '../../panel/lookups/locators';
import { tagLookup } from '../../panel/lookups/tags';
import { defineOperation, type Field } from '../../run/operation';
import { readRecord } from '../../service/lists/records';
import { onApiError, partiallyDoneError } from '../../transport/errors/ApiError';
import { requireField } from '../../values/fieldError';
import { quoted } from '../../values/labels';
import { contentFields, contentSchema, checkContent, readContent } from './create/content';
import { plannedBroadcast } from './schedule';
import {
	DRAFT,
	planFields,
	planSchema,
	putOnSchedule,
	rateField,
	readPlan,
	scheduleField,
	type PlanItem,
} from './steps/plan';
import { countRecipients } from './steps/recipients';

const { min, max } = limits.broadcastName;

const fields: Field[] = [
	inBody({
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. Newsletter December',
		description: `${min} to ${max} characters`,
	}),
	...contentFields,
	inBody({
		displayName: 'Recipients',
		name: 'audience',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'All Contacts', value: 'all', description: 'All whom the channel reaches' },
			{ name: 'Contacts With a Tag', value: 'tag' },
		],
		default: 'tag',
		description:
			'For other conditions, give the contacts a tag first: Contact Get Many, then Add Tags',
	}),
	{
		...locator(tagLookup, 'tagId', { required: true }),
		displayOptions: { show: { audience: ['tag'] } },
	},
	scheduleField(
		[{ name: 'Later', value: DRAFT, description: 'Leaves a draft for Schedule' }],
		DRAFT,
	),
	...planFields,
	optional('options', [rateField]),
];

export const create = defineOperation({
	name: 'Create',
	value: 'create',
	action: 'Create broadcast',
	description: 'Create a draft of a message to many contacts, and schedule it if wanted',
	endpoint: broadcastApi.createBroadcast,
	fields,
	schema: {
		body: z.strictObject({
			name: broadcastTitle,
			...contentSchema,
			audience: oneOf(['all', 'tag']),
			tagId: numericId.optional(),
			...planSchema,
			schedulesType: oneOf([DRAFT, 'now', 'future']).default(DRAFT),
		}),
	},
	output: plannedBroadcast,

	async validate(item) {
		const { audience, tagId } = item.body;
		if (audience === 'tag') requireField('Tag', tagId);
		readPlan(item);
		await checkContent(item);
	},

	async run(item) {
		const { name } = item.body;
		const plan = readPlan(item);
		const content = { ...(await readContent(item)), ...readAudience(item.body) };
		const id = await createDraft(item, name, content);
		const isDraft = plan.schedulesType === DRAFT;
		const butNotDone = explainDraft(
			name,
			id,
			isDraft ? 'its recipients were not counted' : 'not scheduled',
		);
		const recipientsAtMost = await countRecipients(item, content).catch(butNotDone);
		const draft = {
			id,
			name,
			status: DRAFT,
			schedulesAt: plan.schedulesAt,
			recipientsAtMost,
		};
		if (isDraft) return [draft];
		await putOnSchedule(item, id, plan, recipientsAtMost).catch(butNotDone);
		return [{ ...draft, status: 'scheduled' }];
	},
});

function readAudience({ audience, tagId }: { audience: string; tagId?: string }) {
	if (audience === 'all') return {};
	const condition = { field: 'tags', operator: 'in', value: [tagId] };
	return { contactFilter: { operator: 'and', conditions: [condition] } };
}

/**
 * Creates a draft, whatever the user plans: nobody gets it, even if it is created twice. Names it,
 * and returns its ID.
 */
async function createDraft(item: PlanItem, name: string, content: IDataObject): Promise<string> {
	const { sendRatePerMinute } = item.body;
	// The service requires a time for a draft, too.
	const asDraft = { schedulesType: 'now', schedulesAt: null, saveAsDraft: true };
	const body = { ...content, sendRatePerMinute, ...asDraft };
	const record = await readRecord(item, broadcastApi.createBroadcast, { body });
	const id = String(record.id);
	const rename = { params: { broadcastId: id }, body: { name } };
	await item
		.request(broadcastApi.renameBroadcast, rename)
		.catch(explainDraft(name, id, 'not named'));
	return id;
}

/** Returns a handler for `catch()` of a later step: the error says that the draft is there. */
const explainDraft = (name: string, id: string, problem: string) =>
	onApiError(
		() => true,
		(error): never => {
			const what = `The draft ${quoted(name)} (${id}) was created, but ${problem}.`;
			throw partiallyDoneError(error, what);
		},
	);
