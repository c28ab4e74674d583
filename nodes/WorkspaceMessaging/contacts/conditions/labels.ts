/** What users call each group of conditions. */
export const groupLabels: Record<string, string> = {
	assigned: 'Assigned To',
	channels: 'Channel',
	customFields: 'Custom Field',
	dates: 'Date',
	sequences: 'Sequence',
	tags: 'Tag',
	texts: 'Text',
	booleans: 'Yes or No',
};

/** What users call the fields of a contact that conditions compare, by group. */
export const fieldLabels: Record<string, Record<string, string>> = {
	dates: {
		createdAt: 'Created',
		updatedAt: 'Updated',
		lastInteraction: 'Last Interaction',
		lastReadAt: 'Last Read',
		subscribedAt: 'Subscribed',
		broadcastSubscribedAt: 'Subscribed to Broadcasts',
		blockedAt: 'Blocked',
	},
	texts: {
		email: 'Email',
		phoneNumber: 'Phone Number',
		fullName: 'Full Name',
		firstName: 'First Name',
		lastName: 'Last Name',
		gender: 'Gender',
		country: 'Country',
		state: 'State',
		city: 'City',
		locale: 'Language',
		ref: 'Reference Link',
	},
	booleans: {
		blocked: 'Blocked',
		subscribed: 'Subscribed',
		subscribedToBroadcasts: 'Subscribed to Broadcasts',
		emailOptIn: 'Opted In to Emails',
		emailVerified: 'Email Verified',
	},
};

/** Returns what users call the field that a row of a group compares, such as `Country`, or else the group, such as `Tag`. */
export function labelOf(group: string, field: unknown): string {
	return fieldLabels[group]?.[String(field)] ?? groupLabels[group] ?? group;
}
