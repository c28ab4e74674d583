/** A button of a template. Only some of them take a value when the template is sent. */
export type Button =
	| { type: 'URL'; text: string; url: string; example?: unknown }
	| { type: 'COPY_CODE'; text?: string; example?: unknown }
	| { type: 'PHONE_NUMBER'; text: string; phone_number: string }
	| { type: 'QUICK_REPLY' | 'FLOW' | 'CATALOG' | 'MPM' | 'OTP' | 'SPM'; text: string };

/** A part of a template, as the provider describes it. */
export type Component =
	| { type: 'HEADER'; format: 'TEXT'; text: string; example?: unknown }
	| { type: 'HEADER'; format: 'IMAGE' | 'VIDEO' | 'DOCUMENT' | 'LOCATION'; example?: unknown }
	| { type: 'BODY'; text: string; example?: unknown }
	| { type: 'FOOTER'; text: string }
	| { type: 'BUTTONS'; buttons: Button[] }
	| { type: 'LIMITED_TIME_OFFER'; limited_time_offer: { text: string; has_expiration: boolean } }
	| { type: 'CAROUSEL'; cards: Array<{ components: Component[] }> };

/** A WhatsApp template in one language. */
export interface Template {
	id: string;
	name: string;
	language: string;
	/** `APPROVED`, `PENDING`, `REJECTED`, or another word of the provider. */
	status: string;
	category: 'MARKETING' | 'UTILITY' | 'AUTHENTICATION';
	components: Component[];
	integrationWhatsappId: string;
	/** The phone number that the template belongs to. */
	integrationWhatsapp: { id: string; name: string; inboxId: string; displayPhoneNumber: string };
}

/** Why a template that the service agreed to send is lost. */
export type TemplateLoss = 'unknownTemplate' | 'notApproved' | 'otherNumber' | 'parametersDoNotFit';
