// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder;

import org.apiguardian.api.API;

/** The rules by which the binder decides about a claim. Each has the number that the specification gives it (semantics/binder §1). */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum BinderRule {
    /** §1.3. */
    BINDING_MODE_MISSING("U1", "the class has no volumeBindingMode"),
    /** §1.3. */
    SELECTOR_INVALID("U3", "the claim's selector is invalid"),
    /** §1.3. */
    SMALLEST_SUFFICIENT_VOLUME("U4", "a volume fits"),
    /** §1.3. */
    DEFAULT_CLASS_ASSIGNED("U5", "no volume fits, the claim names no class, and there is a default class"),
    /** §1.3. */
    WAIT_FOR_FIRST_CONSUMER("U6", "no volume fits, and the class waits for the first consumer"),
    /** §1.3. */
    CLASS_PROVISIONS("U7", "no volume fits, so the class provisions one"),
    /** §1.3. */
    NO_CLASS("U8", "no volume fits, and the claim has no class"),
    /** §1.4. */
    NAMED_VOLUME_MISSING("V1", "the volume that the claim names does not exist"),
    /** §1.4. */
    NAMED_VOLUME_MISMATCH("V2", "the volume that the claim names does not fit"),
    /** §1.4. */
    NAMED_VOLUME_FREE("V3", "the volume that the claim names is free and fits"),
    /** §1.4. */
    NAMED_VOLUME_RESERVED("V4", "the volume that the claim names is for this claim"),
    /** §1.4. */
    NAMED_VOLUME_TAKEN("V5", "the volume that the claim names is claimed by another claim"),
    /** §1.4. */
    CHOSEN_VOLUME_TAKEN("V6", "the volume that the binder gave to the claim is claimed by another claim"),
    /** §1.5. */
    BOUND_CLAIM_WITHOUT_VOLUME("B1", "a bound claim names no volume any more"),
    /** §1.5. */
    BOUND_VOLUME_MISSING("B2", "the volume of a bound claim does not exist any more"),
    /** §1.5. */
    BOUND_VOLUME_UNCLAIMED("B3", "the volume of a bound claim is not claimed by any claim"),
    /** §1.5. */
    BOUND("B4", "claim and volume name each other"),
    /** §1.5. */
    BOUND_VOLUME_TAKEN("B5", "the volume of a bound claim is claimed by another claim"),
    /** §1.10. */
    PROVISIONING_DISABLED("P0", "dynamic provisioning is switched off"),
    /** §1.10. */
    PROVISIONER_MISSING("P1", "no provisioner makes volumes of the class"),
    /** §1.10. */
    EXTERNAL_PROVISIONER("PE", "an external provisioner makes the volume"),
    /** §1.10. */
    PLUGIN_PROVISIONS("PI", "a plugin of this process makes the volume"),
    /** §1.10 X6. */
    EXTERNAL_POPULATOR("X6", "an external populator makes the volume"),
    /** A field that no rule can work with; the claim is left alone until it is changed. */
    INVALID("INVALID", "a field of the claim is not valid or not supported"),
    /** §7. */
    BIND_LIMIT_REACHED("D4", "too many binds are under way"),
    /** §7. */
    STORAGE_RECLAIMING("D6", "the storage of the volume is being reclaimed"),
    /** §7. */
    SELECTED_NODE_UNUSABLE("D10", "the node that was selected for the claim cannot be used");

    private final String id;
    private final String meaning;

    BinderRule(String id, String meaning) {
        this.id = id;
        this.meaning = meaning;
    }

    /** The number of the rule, such as {@code U4}: stands in documents, events and JSON, and never changes. */
    public String id() {
        return id;
    }

    /** What holds when the rule decides, as part of a sentence. */
    public String meaning() {
        return meaning;
    }
}
