import { oneOf } from '../../../contract/values';
import type { Field } from '../../../run/operation';
import { compareByName } from '../../../values/names';

/* The encodings of CSV files. Excel writes that of Windows, which depends on the country. */

/** Unicode, and otherwise what the country of the contacts says. */
export const AUTOMATIC = 'automatic';
export const WESTERN = 'windows-1252';

/**
 * The encodings that `TextDecoder` reads as Windows does, in Node.js 20, 22 and 24, with the countries
 * whose Excel writes them and the codes of their phone numbers. A country whose languages have
 * several encodings is in several rows, one whose languages have none is in no row. The source is
 * Microsoft's list of locales (AnsiCodePage in IcuLocaleData.cs of .NET).
 */
const encodings: Array<[value: string, name: string, countries: string]> = [
	[
		'windows-1250',
		'Central European (Windows-1250)',
		'AL355 BA387 CZ420 HR385 HU36 MD373 ME382 PL48 RO40 RS381 SI386 SK421 TM993 XK383',
	],
	[
		'windows-1251',
		'Cyrillic (Windows-1251)',
		'BG359 BY375 KG996 MD373 MK389 MN976 RS381 RU7 TJ992 UA380 UZ998',
	],
	[
		WESTERN,
		'Western European (Windows-1252)',
		'AC247 AD376 AO244 AR54 AT43 AU61 AW297 BE32 BF226 BI257 BJ229 BN673 BO591 BR55 BW267 BZ501 CD243 ' +
			'CF236 CG242 CH41 CI225 CK682 CL56 CM237 CO57 CR506 CU53 CV238 CW599 DE49 DJ253 DK45 DZ213 EC593 ' +
			'ES34 FI358 FJ679 FK500 FM691 FO298 FR33 GA241 GB44 GF594 GH233 GI350 GL299 GM220 GN224 GP590 ' +
			'GQ240 GT502 GW245 GY592 HN504 HT509 ID62 IE353 IN91 IO246 IS354 IT39 KE254 KI686 KM269 LI423 ' +
			'LR231 LS266 LU352 MA212 MC377 MG261 MH692 ML223 MQ596 MR222 MT356 MU230 MW265 MX52 MY60 MZ258 ' +
			'NA264 NC687 NE227 NF672 NG234 NI505 NL31 NO47 NR674 NU683 NZ64 PA507 PE51 PF689 PG675 PH63 PK92 ' +
			'PM508 PT351 PW680 PY595 RE262 RW250 SB677 SC248 SE46 SG65 SH290 SL232 SM378 SN221 SR597 ST239 ' +
			'SV503 SZ268 TD235 TG228 TK690 TL670 TN216 TO676 TV688 TZ255 UG256 US1 UY598 VE58 VU678 WF681 ' +
			'WS685 ZA27 ZM260 ZW263',
	],
	['windows-1253', 'Greek (Windows-1253)', 'CY357 GR30'],
	['windows-1254', 'Turkish (Windows-1254)', 'AZ994 TR90 UZ998'],
	['windows-1255', 'Hebrew (Windows-1255)', 'IL972'],
	[
		'windows-1256',
		'Arabic (Windows-1256)',
		'AE971 AF93 BH973 DJ253 DZ213 EG20 IQ964 IR98 JO962 KM269 KW965 LB961 LY218 MA212 MR222 OM968 ' +
			'PK92 PS970 QA974 SA966 SD249 SY963 TD235 TN216 YE967',
	],
	['windows-1257', 'Baltic (Windows-1257)', 'EE372 LT370 LV371'],
	['windows-1258', 'Vietnamese (Windows-1258)', 'VN84'],
	['windows-874', 'Thai (Windows-874)', 'TH66'],
	['shift_jis', 'Japanese (Shift JIS)', 'JP81'],
	['gbk', 'Chinese Simplified (GBK)', 'CN86'],
	['big5', 'Chinese Traditional (Big5)', 'HK852 MO853 TW886'],
	// Lacks letters that Windows has. `decodeText` refuses a file with one of them.
	['euc-kr', 'Korean (EUC-KR)', 'KR82'],
];

/** The choices of the option Encoding, sorted by name. */
export const encodingOptions = [
	{
		name: 'Automatic',
		value: AUTOMATIC,
		description: 'Unicode, or Western European if the country code fits',
	},
	...encodings.map(([value, name]) => ({ name, value })),
].sort(compareByName);

/** The encoding that the user chose for files that are not in Unicode. */
export const encodingField: Field<string> = {
	displayName: 'Encoding',
	name: 'encoding',
	type: 'options',
	options: encodingOptions,
	default: AUTOMATIC,
	rule: oneOf(encodingOptions.map(({ value }) => value)).default(AUTOMATIC),
	description: "Of a CSV file that isn't in Unicode (UTF-8 or UTF-16)",
	displayOptions: { show: { '/source': ['input'] } },
};

/** The name of an encoding in the panel. */
export const nameEncoding = (value: string) =>
	encodings.find((row) => row[0] === value)?.[1] ?? value;

/** The encodings that Excel writes in the country with a country code. */
const findEncodings = (code: string) =>
	encodings.filter((row) => findCountry(row[2], code) !== undefined);

const findCountry = (countries: string, code: string) =>
	new RegExp(`([A-Z]{2})${code}\\b`).exec(countries)?.[1];

/** Whether Excel only writes Windows-1252 in the country with a country code. */
export function isWestern(code: string): boolean {
	const found = findEncodings(code);
	return found.length === 1 && found[0][0] === WESTERN;
}

/**
 * Says which encodings fit the country codes of a file: `Files from Poland (+48) are usually Central
 * European (Windows-1250).` Names one country for each; an empty text if none is known.
 *
 * @param codes without a +; the first ones come first
 */
export function describeFitting(codes: string[]): string {
	const [first, ...others] = nameCountries(codes);
	if (first === undefined) return '';
	const [names, country] = first;
	const rest = others.map((other) => `, those from ${other[1]} ${other[0]}`);
	return `Files from ${country} are usually ${names}${rest.join('')}.`;
}

/** Names the encodings that fit country codes, each with its first country. */
function nameCountries(codes: string[]) {
	const countries = new Map<string, string>();
	for (const code of codes) {
		const found = findEncodings(code);
		const names = found.map((row) => row[1]).join(' or ');
		const isNew = names !== '' && !countries.has(names);
		if (isNew) countries.set(names, `${nameCountry(found[0][2], code)} (+${code})`);
	}
	return countries;
}

/** The name of the country with a country code, with its article. */
function nameCountry(countries: string, code: string) {
	const region = findCountry(countries, code)!;
	const name = new Intl.DisplayNames('en', { type: 'region' }).of(region) ?? region;
	return /^(?:United|Netherlands|Philippines)\b/.test(name) ? `the ${name}` : name;
}
