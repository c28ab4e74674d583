import { workspaceApi, getUserOfMember } from '../contract/workspace';
import type { AnyItem } from '../run/item';
import { oncePerRun } from '../run/run';
import { explainLack } from '../service/capabilities';
import { refusedError } from '../transport/errors/ApiError';
import { readPagedList } from '../service/lists/pages';
import { quoted } from '../values/labels';
import { findByName } from '../values/names';
import { describeSeveral } from '../values/suggestions';

/* Whom a conversation can be assigned to. */

/** A member or team. */
interface Assignee {
	/** The IDs by which the user can choose it. */
	ids: string[];
	/** The names by which the user can choose it. */
	names: string[];
	/** As conversations name it. */
	assignedId: string;
	name: string;
}

/**
 * Reads the members; a member's own ID is not the ID of its user, which conversations and messages
 * have.
 */
const readMembers = oncePerRun(async (item: AnyItem): Promise<Assignee[]> => {
	const members = await readPagedList(item, workspaceApi.listMembers);
	return members.map((member) => {
		const user = getUserOfMember(member);
		const userId = String(user.id ?? member.userId);
		const names = [user.name, user.email].filter(Boolean).map(String);
		return {
			ids: [String(member.id), userId],
			names,
			assignedId: `u_${userId}`,
			name: names[0] ?? userId,
		};
	});
});

const readTeams = oncePerRun(async (item: AnyItem): Promise<Assignee[]> => {
	const teams = await readPagedList(item, workspaceApi.listTeams).catch(
		explainLack('list teams', 'Assign the conversation to a member.'),
	);
	return teams.map((team) => {
		const id = String(team.id);
		const name = String(team.name);
		return { ids: [id], names: [name], assignedId: `t_${id}`, name };
	});
});

/** Returns the names of the workspace's users by their IDs; none if the members cannot be read. */
export async function readUserNames(item: AnyItem): Promise<Map<string, string>> {
	const members = await readMembers(item).catch(() => []);
	return new Map(members.map(({ ids: [, userId], name }) => [userId, name]));
}

/**
 * Finds the member or team that a field chooses by ID or name. Some services would unassign a
 * conversation from everybody if they cannot read the ID, without an error (difference 28). Throws
 * an `ApiError` if there is not exactly one.
 *
 * @param value an ID or name, as the user entered it
 * @param isFromList whether the user chose it from the list, which has the members' own IDs
 */
export async function findAssignee(
	item: AnyItem,
	noun: 'member' | 'team',
	{ value: text, isFromList }: { value: string; isFromList: boolean },
): Promise<Assignee> {
	const all = noun === 'member' ? await readMembers(item) : await readTeams(item);
	const found = findChosenAssignees(all, text, isFromList);
	if (found.length === 1) return found[0];
	if (found.length === 0)
		throw refusedError(`The workspace has no ${noun} ${quoted(text)}.`, undefined, {
			status: 404,
		});
	const choices = found.map(({ ids: [id], name }) => ({ id, name }));
	throw refusedError(
		describeSeveral(`${noun}s`, text, choices, 'name or ID'),
		'Choose one of them from the list.',
	);
}

function findChosenAssignees(all: Assignee[], text: string, isFromList: boolean) {
	if (isFromList) {
		// The user of a member can have the same ID as another member.
		const byListId = all.filter(({ ids: [id] }) => id === text);
		if (byListId.length > 0) return byListId;
	}
	const byId = all.filter(({ ids }) => ids.includes(text));
	return byId.length > 0 ? byId : findByName(all, text, ({ names }) => names);
}
