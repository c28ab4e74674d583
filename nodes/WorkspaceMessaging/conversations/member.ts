import type { IDataObject } from 'n8n-workflow';

/** The user of a member; empty if the service shows none. */
export const getUserOfMember = ({ user }: IDataObject): IDataObject => Object(user);
