-- Schema: 22
-- Serves: Pharos 0.2.0 (schema 1) and later
-- What corrections of members mean for their groups.
ALTER TABLE ledger_correction
    -- Of a group: it follows from those of its members, and is replaced with each of them. People see and delete only others.
    ADD COLUMN derived BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE raw.group_change
    -- The corrections of the group must be derived again.
    ADD COLUMN corrected BOOLEAN NOT NULL DEFAULT false;

-- Those of the group itself win over what follows from its members.
CREATE FUNCTION note_member_corrections() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
    INSERT INTO raw.group_change (group_id, corrected)
    SELECT id, true FROM monitor WHERE members && array(SELECT DISTINCT monitor_id FROM changed) AND members <> '{}'
     UNION
    SELECT id, true FROM monitor
     WHERE id = ANY(array(SELECT DISTINCT monitor_id FROM changed WHERE NOT derived)) AND members <> '{}';
    IF FOUND THEN
        PERFORM pg_notify('pharos_deliveries', '');
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER member_correction_inserted AFTER INSERT ON ledger_correction REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION note_member_corrections();

CREATE TRIGGER member_correction_deleted AFTER DELETE ON ledger_correction REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION note_member_corrections();
