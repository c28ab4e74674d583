import { z } from 'zod/v4';
import { broadcastApi, statusNeededTo, mostPerMinute } from '../../../contract/broadcast';
import { limits } from '../../../contract/limits';
import { oneOf } from '../../../contract/values';
import { inBody } from '../../../panel/fields';
import { exceptForTools } from '../../../panel/toolFields';
import type { Item } from '../../../run/item';
import type { Field } from '../../../run/operation';
import { mayHaveChanged } from '../../../transport/errors/ApiError';
import { readMoment, toDateText, toIsoText, unitMs } from '../../../values/dates';
import { FieldError, requireField } from '../../../values/fieldError';
import { quoted } from '../../../values/labels';
import { describeInvalidValue } from '../../../values/validate';
import { refuseWrongCount } from './recipients';
import { sendStep, wrongStatusError } from './status';

/* When a broadcast is sent, and to how many contacts at most. */

const START_LABEL = 'Start Time';
/** The status of a draft, and the choice that leaves the broadcast in it. */
export const DRAFT = statusNeededTo.schedule;

/** When to send; an agent cannot choose, and creates drafts only. */
export const scheduleField = (more: Field['options'], preset: string): Field =>
	exceptForTools(
		inBody({
			displayName: 'When to Send',
			name: 'schedulesType',
			type: 'options',
			noDataExpression: true,
			options: [
				{ name: 'At a Time', value: 'future' },
				...(more ?? []),
				{
					name: 'Now',
					value: 'now',
					description: 'Sending begins within a minute, also if you click Execute step',
				},
			],
			default: preset,
			description: 'Until the last message is sent, the operation Stop can stop the broadcast',
		}),
	);

const ifScheduled = { show: { schedulesType: ['future', 'now'] } };

/** The start and the limit, if the broadcast is scheduled. */
export const planFields: Field[] = [
	exceptForTools({
		displayName: START_LABEL,
		name: 'schedulesAt',
		type: 'dateTime',
		default: '',
		required: true,
		displayOptions: { show: { schedulesType: ['future'] } },
		description: 'In the time zone of the workflow. The service ignores the seconds.',
	}),
	exceptForTools(
		inBody({
			displayName: 'Most Recipients',
			name: 'maxRecipients',
			type: 'number',
			typeOptions: { minValue: 1, numberPrecision: 0 },
			default: 0,
			required: true,
			displayOptions: ifScheduled,
			description:
				'Nothing is scheduled if the service counts more contacts. n8n asks it just before.',
		}),
	),
];

const { min, max, usual } = limits.messagesPerMinute;

/** How fast to send. */
export const rateField = inBody({
	displayName: 'Messages per Minute',
	name: 'sendRatePerMinute',
	type: 'number',
	typeOptions: { minValue: min, maxValue: max, numberPrecision: 0 },
	default: usual,
	description: 'How fast the service sends: at 50, it takes 20 minutes for 1,000 contacts',
});

const atLeastOne = 'must be a whole number of at least 1';

/** The values of these fields that n8n sends or compares as they are. */
export const planSchema = {
	schedulesType: oneOf(['now', 'future']),
	maxRecipients: z.number(atLeastOne).int(atLeastOne).min(1, atLeastOne).optional(),
	sendRatePerMinute: mostPerMinute.optional(),
};

/** An item that can schedule a broadcast, or leave a draft. */
export type PlanItem = Item<
	unknown,
	unknown,
	{ schedulesType: string; maxRecipients?: number; sendRatePerMinute?: number }
>;

/**
 * Returns when to send and how fast, as the service takes it. Throws an error if one of these fields,
 * or Most Recipients, is empty or not valid.
 */
export function readPlan(item: PlanItem) {
	const { schedulesType, maxRecipients, sendRatePerMinute } = item.body;
	if (schedulesType !== DRAFT) requireField('Most Recipients', maxRecipients);
	const schedulesAt = schedulesType === 'future' ? readStart(item) : null;
	return { schedulesType, schedulesAt, sendRatePerMinute };
}

/** Returns the start without its seconds. Throws an error if it is no time, or is not after now. */
function readStart(item: PlanItem): string {
	const value = item.parameter('schedulesAt', '');
	const text = String(toDateText(value));
	const moment = readMoment(text, item.run.context.getTimezone());
	if (moment === undefined)
		throw new FieldError(
			START_LABEL,
			`${START_LABEL} must be a date and a time, such as 2026-12-31T09:30`,
			describeInvalidValue(value),
		);
	const start = moment - (moment % unitMs.minutes);
	if (start <= Date.now())
		throw new FieldError(START_LABEL, `${START_LABEL} must be after now`, `is ${quoted(text)}`);
	return toIsoText(start);
}

/**
 * Schedules a draft, unless nobody would get it or more than the user allows. If the answer is lost,
 * the status of the broadcast says whether it is scheduled.
 *
 * @param count how many would get it, as the service has just counted
 */
export async function putOnSchedule(
	item: PlanItem,
	broadcastId: string,
	plan: ReturnType<typeof readPlan>,
	count: number,
): Promise<void> {
	refuseWrongCount(count, item.body.maxRecipients);
	const failed = await sendStep(item, broadcastApi.scheduleBroadcast, broadcastId, plan);
	if (!failed) return;
	const { error, now } = failed;
	if (now.status === DRAFT) throw error;
	// Somebody else was faster. If the answer was lost instead, it is scheduled.
	if (!mayHaveChanged(error)) throw wrongStatusError(now, 'schedule');
}
