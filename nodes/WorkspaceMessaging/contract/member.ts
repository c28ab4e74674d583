import { z } from 'zod/v4';
import type { Endpoint } from './endpoint';
import { memberRoles } from './limits';
import { numericId, paging, searchText } from './values';

/** Member as the list shows it: without role (part 2.5). */
export const memberListItem = z.object({
	id: z.string(),
	workspaceId: z.string(),
	userId: z.string(),
	permissions: z.object({
		superAdmin: z.boolean(),
		analytics: z.boolean(),
		flows: z.boolean(),
		contacts: z.boolean(),
		onlyAssignedContacts: z.boolean(),
		emailAndPhone: z.boolean(),
		broadcast: z.boolean(),
		ecommerce: z.boolean(),
	}),
	user: z.object({ id: z.string(), name: z.string().nullable(), image: z.string().nullable() }),
	createdAt: z.iso.datetime(),
	updatedAt: z.iso.datetime(),
});

/** One member (part 2.5). */
export const member = memberListItem.extend({ role: z.enum(memberRoles) });

export const listMembers = {
	method: 'GET',
	path: '/api/v1/members',
	query: z.strictObject({ ...paging, keyword: searchText.optional() }),
	status: 200,
	response: z.object({ data: z.array(memberListItem), pageCount: z.number() }),
	list: 'pages',
	idempotent: true,
} satisfies Endpoint;

export const getMember = {
	method: 'GET',
	path: '/api/v1/members/{memberId}',
	params: z.strictObject({ memberId: numericId }),
	status: 200,
	response: member,
	idempotent: true,
} satisfies Endpoint;
