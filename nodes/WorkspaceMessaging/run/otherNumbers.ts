import { counted } from '../values/labels';
import { oncePerRun, type Run } from './run';

/** The phone numbers that a run has found in their other form, by those that it looked for. */
export const otherNumbersOf = oncePerRun(({ run }: { run: Run }) => {
	const numbers = new Map<string, string>();
	run.hint(() => {
		const [[entered, found]] = numbers;
		const others = numbers.size - 1;
		const more = others > 0 ? ` The same goes for ${counted(others, 'other number')}.` : '';
		return `No contact has the phone number ${entered}, so n8n used the contact with ${found}, the other form of this mobile number.${more}`;
	});
	return numbers;
});
