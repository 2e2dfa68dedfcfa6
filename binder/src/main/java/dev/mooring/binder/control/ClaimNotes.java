// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import java.util.Map;
import java.util.Optional;

/**
 * What the binder remembers about a claim whatever it waits for.
 *
 * @param told the last event about the claim, so that an event is written on change only (D13)
 * @param provisioning what is remembered of the storage that is made for it
 * @param refused the volumes that the store would not let us change for the claim, each with the version that it was refused at
 * @param refusedClass the default class that the store would not let us give to the claim; empty if there was none
 */
record ClaimNotes(
        String told, ProvisioningNotes provisioning, Map<String, String> refused, Optional<RefusedClass> refusedClass) {
    static final ClaimNotes NONE = new ClaimNotes("", ProvisioningNotes.NONE, Map.of(), Optional.empty());

    ClaimNotes withTold(String news) {
        return new ClaimNotes(news, provisioning, refused, refusedClass);
    }

    ClaimNotes with(ProvisioningNotes other) {
        return new ClaimNotes(told, other, refused, refusedClass);
    }

    /** The same, for a claim that needs no node any more. */
    ClaimNotes withoutNode() {
        return with(provisioning.with(NodeSeen.NONE));
    }

    ClaimNotes withRefused(Map<String, String> versions) {
        return new ClaimNotes(told, provisioning, Map.copyOf(versions), refusedClass);
    }

    ClaimNotes withRefusedClass(RefusedClass refusal) {
        return new ClaimNotes(told, provisioning, refused, Optional.of(refusal));
    }
}
