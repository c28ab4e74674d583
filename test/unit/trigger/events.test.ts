import { contactEventFields } from '../../../nodes/WorkspaceMessaging/trigger/eventFields';
import { pollingEvents } from '../../../nodes/WorkspaceMessaging/trigger/events';
import { instantEvents } from '../../../nodes/WorkspaceMessaging/trigger/instant/events';
import { eventNames } from '../../support/fakes/movingCase';

/** The trigger itself reads these. */
const read = contactEventFields.map(({ name }) => name);

test.each([...pollingEvents, ...instantEvents])(
	'the own fields of $name are those that it has values for',
	({ fields, parameters }) => {
		const own = fields.filter(({ type, name }) => type !== 'notice' && !read.includes(name));
		expect(own.map(({ name }) => name).sort()).toEqual(Object.keys(parameters.shape).sort());
	},
);

test('the events of the polling trigger are in the order of their names', () => {
	const names = pollingEvents.map(({ name }) => name);
	expect(names).toEqual([...names].sort());
});

test('every event of the polling trigger has random histories', () => {
	// Those of messages are in `messages/histories.test.ts` and `undelivered.test.ts`.
	const covered = [...eventNames, 'messageReceived', 'messageNotDelivered'];
	expect(covered.sort()).toEqual(pollingEvents.map(({ value }) => value).sort());
});
