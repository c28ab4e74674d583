import { listTeams, olderCatalogue } from '../catalogue';
import { contactCustomFieldOperations, putContactCustomFields } from '../contactCustomFields';
import { olderContactLists } from '../contactList';
import { contactOperations } from '../contacts';
import { contactTagOperations } from '../contactTags';
import { face } from '../router';
import { olderImport } from '../imports';
import { olderMessageOperations } from '../messages';
import { customFieldOperations, olderNameLists, tagOperations } from '../tags';

/** Services of about mid-2026. */
export const older = face(
	'older',
	{
		...olderCatalogue,
		...olderContactLists,
		...contactOperations,
		...contactTagOperations,
		...contactCustomFieldOperations,
		putContactCustomFields,
		...olderMessageOperations,
		importContacts: olderImport,
		...tagOperations,
		...customFieldOperations,
		...olderNameLists,
	},
	{ listTeams },
);
