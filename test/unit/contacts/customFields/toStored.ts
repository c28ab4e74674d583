import type { CustomFieldDefinition } from '../../../../nodes/WorkspaceMessaging/contacts/customFields/definitions';
import { toStoredText } from '../../../../nodes/WorkspaceMessaging/contacts/customFields/storedText';
import type { AnyItem } from '../../../../nodes/WorkspaceMessaging/run/item';
import { normalizePhoneNumber } from '../../../../nodes/WorkspaceMessaging/values/phone/phoneNumber';

/** Returns a value as the API stores it, for an item of a workflow in a time zone. */
export function toStored(field: CustomFieldDefinition, value: unknown, timezone: string): string {
	const item = {
		run: { timezone },
		readPhoneNumber: normalizePhoneNumber,
		getSources: () => [],
	} as unknown as AnyItem;
	return toStoredText(item, field, value);
}
