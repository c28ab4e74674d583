import { WAIT_INDEFINITELY } from 'n8n-workflow';
import type { AnyItem } from '../../../run/item';
import { readMoment, unitMs } from '../../../values/dates';
import { FieldError } from '../../../values/fieldError';
import type { EnteredQuestion } from './questionFields';

const MAX_WAIT_MS = 1000 * 365 * unitMs.days;

/**
 * Returns until when the execution waits. Throws a sentence if that is no time, a past one, or too
 * far away.
 */
export function waitUntil({ run }: AnyItem, entered: EnteredQuestion): Date {
	const { limitType, resumeAmount, resumeUnit, maxDateAndTime } = entered;
	if (limitType === 'noLimit') return WAIT_INDEFINITELY;
	let moment = Date.now() + resumeAmount * unitMs[resumeUnit];
	if (limitType === 'atSpecifiedTime') moment = readFutureMoment(maxDateAndTime, run.timezone);
	if (moment - Date.now() > MAX_WAIT_MS)
		throw new Error(
			'The wait must end within 1,000 years. To wait without an end, choose No Limit under Limit Type',
		);
	return new Date(moment);
}

function readFutureMoment(text: string, timezone: string) {
	const moment = readMoment(text, timezone);
	if (moment === undefined)
		throw new FieldError('Wait Until', 'Wait Until must be a date and time', `is "${text}"`);
	if (moment <= Date.now()) throw new Error(`Wait Until must be in the future, but is "${text}"`);
	return moment;
}
