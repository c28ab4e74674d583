/** The part of an import's body that says which column of the file has what. */
export interface Columns {
	phoneNumber?: string;
	contactId?: string;
	email?: string;
	firstName?: string;
	lastName?: string;
	/** The ID of a person on WhatsApp; newer services have it. */
	sourceUserId?: string;
	fieldMapping?: FieldMapping;
}

export type FieldMapping = Array<{ column: string; customFieldId: string }>;

export type ColumnName = Exclude<keyof Columns, 'fieldMapping'>;

/**
 * Common names of columns in English, German, Spanish and French, for those that the service does
 * not recognize; in lower case without accents, blanks and punctuation. n8n uses the first one that
 * a file has: a French file can have "nombre" (count) beside "prénom", and a mobile number reaches
 * more channels than a landline.
 */
export const usualNames: Record<ColumnName, string[]> = {
	phoneNumber: wordsIn(
		'phonenumber phone mobile mobilephone',
		'handy handynummer mobil mobilnummer mobiltelefon telefon telefonnummer rufnummer',
		'movil telefonomovil celular telefono numerodetelefono',
		'portable telephoneportable numerodetelephone',
		'tel telephone whatsapp',
	),
	contactId: wordsIn('contactid externalid subscriberid userid id'),
	email: wordsIn(
		'email emailaddress mail emailadresse mailadresse',
		'correo correoelectronico courriel adresseemail adressemail',
	),
	firstName: wordsIn('firstname givenname vorname prenom nombre nombres'),
	lastName: wordsIn(
		'lastname surname familyname nachname familienname',
		'apellido apellidos nom nomdefamille',
	),
	sourceUserId: wordsIn('sourceuserid whatsappuserid'),
};

function wordsIn(...lines: string[]) {
	return lines.flatMap((line) => line.split(' '));
}

/** Returns a header in lower case without accents, blanks and punctuation. */
export const normalizeHeader = (header: string) =>
	header
		.normalize('NFD')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, '');
