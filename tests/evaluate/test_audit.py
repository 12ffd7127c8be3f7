"""What was deleted is nowhere: not in logs, snapshots or the store, nor in answers, nor after consolidating anew."""

from awhm_hooks.config import AWHMConfig
from awhm_hooks.evaluate.audit import Audit, deletion_audit


def test_the_audit_passes() -> None:
    audit = deletion_audit(AWHMConfig(ner_labels=(), semantic=False))
    assert audit.passed, audit


def test_an_audit_that_had_nothing_to_delete_has_not_passed() -> None:
    audit = Audit(False, True, True, True, True, True)
    assert not audit.passed
    assert audit.as_json() == {
        "passed": False,
        "recalled_before": False,
        "logs_clean": True,
        "snapshots_clean": True,
        "store_clean": True,
        "query_clean": True,
        "stays_deleted": True,
    }
