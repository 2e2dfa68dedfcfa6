// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.invariant;

import dev.mooring.binder.calls.ExpandCall;
import dev.mooring.runtime.control.Call;
import dev.mooring.storage.model.Annotations;
import dev.mooring.storage.model.ClaimPhase;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.Pod;
import dev.mooring.storage.model.PodPhase;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.ControllerExpanding.Expansion;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.volumemanager.calls.ExpandOnNodeCall;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Sizes (semantics/attach-and-mount §7.7, S17): storage does not shrink; a claim shows more only after the back-end or node that makes it larger has answered
 * that it did, the node where a node has to; a node grows only what it has prepared (S10); and in the end who asked for more has it.
 */
final class GrowthRules implements Invariant {
    private static final String STORAGE = "storage";
    private static final String SIZES = "S17";
    private static final Set<String> NODES_TURN = Set.of("NodeResizePending", "NodeResizeInProgress");

    /** How large claims may say that a volume is. */
    private final Map<String, Quantity> heard = new HashMap<>();

    /** How large storage, and what is on it on a node, was really made, unless it was said since that it is not. */
    private final Map<String, Quantity> made = new HashMap<>();

    /** Plugins that have answered to an expansion of their own. */
    private final Set<String> growing = new HashSet<>();

    // ---- calls ----

    @Override
    public void calling(WorldView world, Call call, Findings findings) {
        wanted(call)
                .ifPresent(size -> findings.require(
                        made.getOrDefault(place(call), Quantity.ZERO).compareTo(size) <= 0,
                        SIZES,
                        say(call) + " to " + size + ", which has " + made.get(place(call))));
        if (call instanceof ExpandOnNodeCall) {
            boolean prepared =
                    world.everKnown(call.volume()).filter(VolumeFacts::staged).isEmpty()
                            || world.liedAbout(call.volume())
                            || world.stagedOn(call.volume(), call.node());
            findings.require(prepared, "S10", say(call) + " without being staged");
        }
    }

    @Override
    public void called(WorldView world, Call call, boolean applied, Findings findings) {
        if (applied) {
            wanted(call).ifPresent(size -> made.merge(place(call), size, GrowthRules::larger));
        }
    }

    @Override
    public void answered(WorldView world, Call call, Optional<Outcome<?>> answer, Findings findings) {
        if (answer.filter(GrowthRules::isRefusal).isPresent()) {
            // Storage that is large enough is not refused (ControllerExpanding): that it is smaller is believed.
            wanted(call)
                    .ifPresent(size ->
                            made.computeIfPresent(place(call), (place, has) -> has.compareTo(size) < 0 ? has : null));
        }
        answer.flatMap(Outcome::result).ifPresent(value -> heard(call, value));
    }

    private static boolean isRefusal(Outcome<?> answer) {
        return answer.isRefused();
    }

    private void heard(Call call, Object value) {
        if (call instanceof ExpandOnNodeCall && value instanceof Quantity size) {
            heard.merge(call.volume(), size, GrowthRules::larger);
        } else if (call instanceof ExpandCall && value instanceof Expansion expansion) {
            growing.add(call.plugin().value());
            if (!expansion.nodeExpansionRequired()) {
                heard.merge(call.volume(), expansion.size(), GrowthRules::larger);
            }
        }
    }

    private static Optional<Quantity> wanted(Call call) {
        if (call instanceof ExpandCall expand) {
            return Optional.of(expand.wanted());
        }
        return call instanceof ExpandOnNodeCall expand ? Optional.of(expand.wanted()) : Optional.empty();
    }

    private static String place(Call call) {
        return call.volume() + " " + call.node();
    }

    private static Quantity larger(Quantity one, Quantity other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    // ---- what is shown ----

    @Override
    public void written(WorldView world, ObjectWrite<?> write, Findings findings) {
        if (write.kind().equals(Kinds.PERSISTENT_VOLUME)) {
            volume(write, findings);
        } else if (write.ours()
                && write.before().isPresent()
                && write.before().get() instanceof PersistentVolumeClaim before
                && write.after().isPresent()
                && write.after().get() instanceof PersistentVolumeClaim after) {
            claim(before, after, findings);
        }
    }

    /** What others write of a volume's size, and what it is made with, is believed. */
    private void volume(ObjectWrite<?> write, Findings findings) {
        String name = write.key().name();
        Optional<Quantity> was = write.before().flatMap(GrowthRules::sizeOf);
        Optional<Quantity> is = write.after().flatMap(GrowthRules::sizeOf);
        if (was.isEmpty() || is.isEmpty()) {
            heard.remove(name);
            made.keySet().removeIf(place -> place.startsWith(name + " "));
            is.ifPresent(size -> heard.put(name, size));
        } else if (!write.ours() && was.get().compareTo(is.get()) != 0) {
            heard.merge(name, is.get(), GrowthRules::larger);
        } else if (write.ours()) {
            findings.require(
                    is.get().compareTo(was.get()) >= 0,
                    SIZES,
                    "volume " + name + " shrinks from " + was.get() + " to " + is.get());
        }
    }

    private static Optional<Quantity> sizeOf(Object object) {
        return object instanceof PersistentVolume volume
                ? Optional.of(volume.spec().storage())
                : Optional.empty();
    }

    private void claim(PersistentVolumeClaim before, PersistentVolumeClaim after, Findings findings) {
        if (after.status().phase() != ClaimPhase.BOUND) {
            return;
        }
        String volume = after.spec().volumeName();
        Quantity was = shown(before);
        Quantity is = shown(after);
        boolean raised = is.compareTo(was) > 0;
        boolean earned = is.compareTo(heard.getOrDefault(volume, Quantity.ZERO)) <= 0;
        findings.require(
                !raised || earned || !heard.containsKey(volume),
                SIZES,
                say(after) + " shows " + is + ", and " + volume + " was not heard to have more than "
                        + heard.get(volume));
    }

    private static Quantity shown(PersistentVolumeClaim claim) {
        return claim.status().capacity().getOrDefault(STORAGE, Quantity.ZERO);
    }

    // ---- in the end ----

    @Override
    public void atRest(WorldView world, Findings findings) {
        for (PersistentVolumeClaim claim : world.claims()) {
            Optional<PersistentVolume> volume = VolumeFacts.volumeOf(world, claim)
                    .filter(this::isGrownByUs)
                    .filter(found -> VolumeFacts.names(found, ObjectKey.of(claim)));
            boolean bound = claim.status().phase() == ClaimPhase.BOUND
                    && claim.metadata().annotation(Annotations.BIND_COMPLETED).isPresent();
            if (bound && volume.isPresent()) {
                hasWhatItAskedFor(world, claim, volume.get(), findings);
            }
        }
    }

    private boolean isGrownByUs(PersistentVolume volume) {
        return volume.spec()
                .source()
                .flatMap(CsiSource::of)
                .filter(csi -> growing.contains(csi.driver()))
                .isPresent();
    }

    private static void hasWhatItAskedFor(
            WorldView world, PersistentVolumeClaim claim, PersistentVolume volume, Findings findings) {
        Quantity asked = claim.spec().requestedStorage();
        // While a node has to do its part first, no controller does more (§3.5). The node does it when a pod has the
        // volume.
        boolean waits =
                NODES_TURN.contains(claim.status().allocatedResourceStatuses().getOrDefault(STORAGE, ""))
                        && !isUsed(world, claim, volume);
        boolean has =
                shown(claim).compareTo(asked) >= 0 && volume.spec().storage().compareTo(asked) >= 0;
        findings.require(
                waits || has,
                "L-grow",
                say(claim) + " asks for " + asked + " and has " + shown(claim) + ", "
                        + claim.status().allocatedResourceStatuses() + ", " + VolumeFacts.name(volume) + " has "
                        + volume.spec().storage());
    }

    private static boolean isUsed(WorldView world, PersistentVolumeClaim claim, PersistentVolume volume) {
        return world.pods().stream()
                .filter(pod -> VolumeFacts.claimsOf(pod).contains(ObjectKey.of(claim)))
                .anyMatch(pod -> hasIt(world, pod, volume));
    }

    private static boolean hasIt(WorldView world, Pod pod, PersistentVolume volume) {
        String node = pod.spec().nodeName();
        return VolumeFacts.lives(pod)
                && pod.status().phase() == PodPhase.RUNNING
                && world.isUp(node)
                && world.publishedTo(VolumeFacts.name(volume), node)
                        .contains(pod.metadata().uid());
    }

    private static String say(PersistentVolumeClaim claim) {
        return "claim " + ObjectKey.of(claim);
    }

    private static String say(Call call) {
        return call.operation() + " of " + call.volume() + (call.node().isEmpty() ? "" : " on " + call.node());
    }
}
