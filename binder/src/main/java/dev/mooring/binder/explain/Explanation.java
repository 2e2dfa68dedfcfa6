// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.binder.BinderRule;
import dev.mooring.storage.model.ObjectKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/**
 * Why an object is in its state.
 *
 * @param kind the object's kind, for example {@code PersistentVolumeClaim} or {@code Pod}
 * @param object which one
 * @param phase its phase as the object shows it; {@code Terminating} comes before it where it is being deleted
 * @param takenAt the time for which all this holds
 * @param rule the binder's rule that decides about a claim; empty if there is nothing to decide, and for other kinds
 * @param causes what keeps it there, the most important one first; never empty
 * @param volumes how many volumes there are
 * @param excluded how many of them each rule keeps from the claim, each volume counted under the first; empty if no volume was looked for
 * @param nearest at most three volumes that miss by least
 * @param awaited who has to act
 * @param remedies what would help, in the order of safety
 * @param facts sentences that are no cause, but that people who ask want to know, for example what a node can attach; at most 20
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Explanation(
        String kind,
        ObjectKey object,
        String phase,
        Instant takenAt,
        Optional<BinderRule> rule,
        List<Cause> causes,
        int volumes,
        List<Excluded> excluded,
        List<NearMiss> nearest,
        List<Awaited> awaited,
        List<Remedy> remedies,
        List<String> facts) {
    /** Copies the lists. */
    public Explanation {
        causes = List.copyOf(causes);
        excluded = List.copyOf(excluded);
        nearest = List.copyOf(nearest);
        awaited = List.copyOf(awaited);
        remedies = List.copyOf(remedies);
        facts = List.copyOf(facts);
    }

    /** Whether nothing keeps the object from what it is there for. */
    public boolean isWell() {
        return causes.get(0).code() == CauseCode.NOTHING_WRONG;
    }

    /** Since when the longest wait lasts; empty if objects and events do not tell. */
    public Optional<Instant> since() {
        return awaited.stream().map(Awaited::since).flatMap(Optional::stream).min(Instant::compareTo);
    }

    /** The codes of the causes, in their order. */
    public List<CauseCode> codes() {
        return causes.stream().map(Cause::code).toList();
    }

    /**
     * One cause.
     *
     * @param code for programs
     * @param text a sentence for people
     */
    public record Cause(CauseCode code, String text) {}

    /**
     * Volumes that a rule keeps from the claim.
     *
     * @param rule the rule's name in the specification, for example {@code F4}
     * @param text what these volumes are, for example {@code too small}
     * @param volumes how many
     */
    public record Excluded(String rule, String text, int volumes) {}

    /**
     * A volume that nearly fits.
     *
     * @param volume its name
     * @param differences what is different from what the claim wants
     */
    public record NearMiss(String volume, List<Difference> differences) {
        /** Copies the list. */
        public NearMiss {
            differences = List.copyOf(differences);
        }
    }

    /**
     * One difference.
     *
     * @param rule the rule's name in the specification
     * @param field what is compared
     * @param wanted what the claim wants
     * @param actual what the volume has
     */
    public record Difference(String rule, String field, String wanted, String actual) {}

    /**
     * A person or program that has to act.
     *
     * @param actor who, for example {@code provisioner ebs.csi.aws.com} or {@code administrator}
     * @param what for what
     * @param since since when, as far as objects and events tell
     */
    public record Awaited(String actor, String what, Optional<Instant> since) {}

    /**
     * Something that would help.
     *
     * @param kind what it does
     * @param text what to do and what follows from it
     * @param actions the steps, in order; never empty
     * @param receivers other claims than the one that is asked about that get a volume or a class by it, in the order in which the
     *     binder serves them; {@code text} names them
     */
    public record Remedy(RemedyKind kind, String text, List<RemedyAction> actions, List<ObjectKey> receivers) {
        /** Copies the lists. */
        public Remedy {
            actions = List.copyOf(actions);
            receivers = List.copyOf(receivers);
        }

        /** The commands of the steps; empty if there is none, and without those steps for which people write a manifest. Never null. */
        public String command() {
            return actions.stream()
                    .map(RemedyAction::command)
                    .filter(command -> !command.isEmpty())
                    .collect(Collectors.joining(" && "));
        }
    }
}
