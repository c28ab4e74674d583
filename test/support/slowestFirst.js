const Sequencer = require('@jest/test-sequencer').default;

/*
 * Files that mostly wait, for polls, looks and the ends of outages, the longest first: on a new
 * machine, Jest knows only the sizes of files, and some of these are small.
 */
const slowest = [
	'answer-in-chat',
	'trigger-publication',
	'send-and-wait',
	'trigger-scheduler',
	'e2e/trigger',
	'instant-trigger',
	'load/outages',
	'load/chaos',
	'errors/retries',
	'contact/upsertInOutage',
	'import/running',
	'trigger/messages.test',
	'errors/recognizedRetries',
	'errors/stopping',
	'trigger/executionPerContact',
	'message/answersBesideTriggers',
];

/** Begins with the slowest files, so that the others run while these wait. */
module.exports = class SlowestFirst extends Sequencer {
	sort(tests) {
		const rank = ({ path }) => {
			const place = slowest.findIndex((part) => path.includes(part));
			return place < 0 ? slowest.length : place;
		};
		return super.sort(tests).sort((a, b) => rank(a) - rank(b));
	}
};
