/** What the path parameters name, as errors say it: "tag with the ID" 12. */
export const pathSubjects: Record<string, string> = {
	identifier: 'contact',
	tagId: 'tag with the ID',
	conversationId: 'conversation with the ID',
	messageId: 'message with the ID',
	templateId: 'template with the ID',
	customFieldId: 'custom field with the ID',
	memberId: 'member with the ID',
	sequenceId: 'sequence with the ID',
	broadcastId: 'broadcast with the ID or name',
	importId: 'import with the ID',
	fileId: 'file with the ID',
	webhookId: 'webhook with the ID',
};
