// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder;

import org.apiguardian.api.API;

/** The rules by which the binder decides about a claim, under the names that the specification gives them (semantics/binder §1). */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum BinderRule {
    /** §1.3. */
    U1("the class has no volumeBindingMode"),
    /** §1.3. */
    U3("the claim's selector is invalid"),
    /** §1.3. */
    U4("a volume fits"),
    /** §1.3. */
    U5("no volume fits, the claim names no class, and there is a default class"),
    /** §1.3. */
    U6("no volume fits, and the class waits for the first consumer"),
    /** §1.3. */
    U7("no volume fits, so the class provisions one"),
    /** §1.3. */
    U8("no volume fits, and the claim has no class"),
    /** §1.4. */
    V1("the volume that the claim names does not exist"),
    /** §1.4. */
    V2("the volume that the claim names does not fit"),
    /** §1.4. */
    V3("the volume that the claim names is free and fits"),
    /** §1.4. */
    V4("the volume that the claim names is for this claim"),
    /** §1.4. */
    V5("the volume that the claim names is claimed by another claim"),
    /** §1.4. */
    V6("the volume that the binder gave to the claim is claimed by another claim"),
    /** §1.5. */
    B1("a bound claim names no volume any more"),
    /** §1.5. */
    B2("the volume of a bound claim does not exist any more"),
    /** §1.5. */
    B3("the volume of a bound claim is not claimed by any claim"),
    /** §1.5. */
    B4("claim and volume name each other"),
    /** §1.5. */
    B5("the volume of a bound claim is claimed by another claim"),
    /** §1.10. */
    P0("dynamic provisioning is switched off"),
    /** §1.10. */
    P1("no provisioner makes volumes of the class"),
    /** §1.10. */
    PE("an external provisioner makes the volume"),
    /** §1.10. */
    PI("a plugin of this process makes the volume"),
    /** §1.10 X6. */
    X6("an external populator makes the volume"),
    /** A field that no rule can work with; the claim is left alone until it is changed. */
    INVALID("a field of the claim is not valid or not supported"),
    /** §7. */
    D4("too many binds are under way"),
    /** §7. */
    D6("the storage of the volume is being reclaimed"),
    /** §7. */
    D10("the node that was selected for the claim cannot be used");

    private final String meaning;

    BinderRule(String meaning) {
        this.meaning = meaning;
    }

    /** What holds when the rule decides, as part of a sentence. */
    public String meaning() {
        return meaning;
    }
}
