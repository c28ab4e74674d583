import type { SandboxWorkspace } from '../../../sandbox/client';
import type { CustomField } from '../../../sandbox/records';

const tags = ['Berlin', 'New Customer', 'Newsletter', 'VIP'];
const flows = ['Cart Reminder', 'Feedback', 'Welcome'];
const customFields: Array<Pick<CustomField, 'name' | 'type'>> = [
	{ name: 'Birthday', type: 'date' },
	{ name: 'Loyalty Points', type: 'number' },
	{ name: 'Wants Catalogue', type: 'boolean' },
	{ name: 'Work Email', type: 'email' },
];

/**
 * Puts tags, flows and custom fields into a workspace that say something to people who see them in
 * a picture.
 */
export async function furnish(workspace: SandboxWorkspace): Promise<void> {
	for (const name of tags) await workspace.add('tags', { name });
	for (const name of flows) await workspace.add('flows', { name, active: true });
	for (const field of customFields)
		await workspace.add('customFields', { ...field, description: null });
}
