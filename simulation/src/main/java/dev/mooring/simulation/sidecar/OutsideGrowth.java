// SPDX-License-Identifier: Apache-2.0
package dev.mooring.simulation.sidecar;

import dev.mooring.binder.calls.ExpandCall;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Defaults;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.EffectResult;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Situation;
import dev.mooring.runtime.control.Target;
import dev.mooring.storage.model.Condition;
import dev.mooring.storage.model.ConditionBuilder;
import dev.mooring.storage.model.ConditionStatus;
import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.model.PersistentVolumeClaim;
import dev.mooring.storage.model.PersistentVolumeClaimStatus;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.store.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The growth of one claim's volume, made by an external resizer whose driver has nothing to do on nodes. */
final class OutsideGrowth {
    private static final String STORAGE = "storage";
    private static final String EXPAND = "expand";
    private static final String RESIZING = "Resizing";
    private static final String IN_PROGRESS = "ControllerResizeInProgress";
    private static final String INFEASIBLE = "ControllerResizeInfeasible";
    private static final Duration SLOW_RETRY = Duration.ofMinutes(5);

    private final PersistentVolumeClaim claim;
    private final PersistentVolume volume;
    private final Situation situation;

    OutsideGrowth(PersistentVolumeClaim claim, PersistentVolume volume, Situation situation) {
        this.claim = claim;
        this.volume = volume;
        this.situation = situation;
    }

    Decision decide(Optional<KeyState> state) {
        Optional<EffectResult> answer = situation.resultOf(EXPAND);
        Optional<Growing> begun = state.map(Growing.class::cast)
                .filter(each -> each.volume.equals(volume.metadata().uid()));
        if (answer.isPresent() && answer.get().succeeded()) {
            return begun.map(this::finish).orElse(Decision.nothing());
        }
        if (begun.filter(Growing::done).isPresent()) {
            return finish(begun.get());
        }
        if (answer.isPresent() && isRefused(answer.get())) {
            return refused();
        }
        Optional<Quantity> target = target();
        if (target.isEmpty()) {
            return Decision.nothing();
        }
        long now = situation.now().monotonicNanos();
        Growing growing = begun.filter(each -> each.target.equals(target.get()))
                .orElseGet(() -> new Growing(
                        volume.metadata().uid(), target.get(), situation.now().monotonicNanosAfter(pace()), false));
        if (now < growing.due) {
            return Decision.remember(growing).wakeAfter(Duration.ofNanos(growing.due - now));
        }
        PersistentVolumeClaimStatus marked = marked(target.get());
        if (!marked.equals(claim.status())) {
            return show("mark-growth", marked).withState(growing);
        }
        String driver =
                volume.spec().source().flatMap(CsiSource::of).orElseThrow().driver();
        return Decision.act(new Effect.Perform(
                        EXPAND,
                        new OutsideCall(new ExpandCall(
                                new PluginName(driver), VolumeSpec.of(volume).orElseThrow(), target.get())),
                        Optional.of(new Target(driver, volume.metadata().name())),
                        Defaults.RECLAIM_TIME_LIMIT))
                .withState(growing);
    }

    private Duration pace() {
        boolean refused = resizeStatus().equals(INFEASIBLE);
        return refused ? SLOW_RETRY : Sidecars.pace(volume.metadata().name());
    }

    private static boolean isRefused(EffectResult answer) {
        return answer.outcome().filter(outcome -> outcome.isRefused()).isPresent();
    }

    // ---- what for ----

    /** The table of expandAndRecover, of which a driver without a step on nodes needs half. */
    private Optional<Quantity> target() {
        Quantity wanted = claim.spec().requestedStorage();
        Optional<Quantity> has = Optional.ofNullable(claim.status().capacity().get(STORAGE));
        Quantity allocated = claim.status().allocatedResources().getOrDefault(STORAGE, wanted);
        boolean uncertain = resizeStatus().equals(IN_PROGRESS);
        boolean refused = resizeStatus().equals(INFEASIBLE);
        if (has.isEmpty() || (has.get().compareTo(wanted) >= 0 && !uncertain && !refused)) {
            return Optional.empty();
        }
        boolean smaller = volume.spec().storage().compareTo(wanted) < 0;
        return Optional.of(uncertain || !smaller ? allocated : wanted);
    }

    private String resizeStatus() {
        return claim.status().allocatedResourceStatuses().getOrDefault(STORAGE, "");
    }

    // ---- what is shown ----

    private PersistentVolumeClaimStatus marked(Quantity target) {
        Map<String, Quantity> allocated = new LinkedHashMap<>(claim.status().allocatedResources());
        allocated.put(STORAGE, target);
        PersistentVolumeClaimStatus status = claim.status().withAllocatedResources(allocated);
        boolean told = status.conditions().stream()
                .anyMatch(condition -> condition.type().equals(RESIZING));
        return at(told ? status : status.withConditions(resizing()), IN_PROGRESS);
    }

    private List<Condition> resizing() {
        List<Condition> conditions = new ArrayList<>(claim.status().conditions());
        conditions.add(ConditionBuilder.builder()
                .type(RESIZING)
                .status(ConditionStatus.TRUE)
                .reason("")
                .message("")
                .lastTransitionTime(situation.now().wall())
                .build());
        return conditions;
    }

    private Decision refused() {
        PersistentVolumeClaimStatus status = at(claim.status(), INFEASIBLE);
        return status.equals(claim.status()) ? Decision.nothing().wakeAfter(SLOW_RETRY) : show("show-refusal", status);
    }

    private Decision finish(Growing growing) {
        Growing done = new Growing(growing.volume, growing.target, growing.due, true);
        if (volume.spec().storage().compareTo(growing.target) < 0) {
            return Decision.act(new Effect.Update<>(
                            "show-volume-size",
                            Kinds.PERSISTENT_VOLUME,
                            new Change<>(volume, volume.withSpec(volume.spec().withStorage(growing.target)))))
                    .withState(done);
        }
        PersistentVolumeClaimStatus status = at(claim.status(), "")
                .withConditions(claim.status().conditions().stream()
                        .filter(condition -> !condition.type().equals(RESIZING))
                        .toList());
        Quantity has = status.capacity().getOrDefault(STORAGE, Quantity.ZERO);
        if (has.compareTo(growing.target) < 0) {
            Map<String, Quantity> capacity = new LinkedHashMap<>(status.capacity());
            capacity.put(STORAGE, growing.target);
            status = status.withCapacity(capacity);
        }
        return status.equals(claim.status())
                ? Decision.nothing()
                : show("show-size", status).withState(done);
    }

    private static PersistentVolumeClaimStatus at(PersistentVolumeClaimStatus status, String word) {
        Map<String, String> statuses = new LinkedHashMap<>(status.allocatedResourceStatuses());
        if (word.isEmpty()) {
            statuses.remove(STORAGE);
        } else {
            statuses.put(STORAGE, word);
        }
        return status.withAllocatedResourceStatuses(statuses);
    }

    private Decision show(String operation, PersistentVolumeClaimStatus status) {
        return Decision.act(new Effect.UpdateStatus<>(
                operation, Kinds.PERSISTENT_VOLUME_CLAIM, new Change<>(claim, claim.withStatus(status))));
    }

    /**
     * Growth that was begun.
     *
     * @param volume uid of the volume
     * @param target the size
     * @param due monotonic time when the back-end is asked
     * @param done whether it has grown
     */
    private record Growing(String volume, Quantity target, long due, boolean done) implements KeyState {}
}
