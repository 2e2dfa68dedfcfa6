// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.bench;

import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ReclaimPolicy;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Capability;
import dev.mooring.storage.spi.ContentSource;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.ProvisionRequestBuilder;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.PublishRequestBuilder;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.StageRequest;
import dev.mooring.storage.spi.Staging;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeSpecBuilder;
import dev.mooring.storage.spi.VolumeTemplate;
import dev.mooring.testkit.rule.BrokenRule;
import dev.mooring.testkit.rule.Rule;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The life of one volume on a bench, step by step, and what the host would have recorded of it. Pods may be served by several threads at
 * once, all else is for one.
 */
public final class VolumeLife {
    private static final int PATIENCE = 5;

    private final Bench bench;
    private final int number;
    private final VolumeMode mode;
    private final KitNotes notes;
    private final Map<String, CallRecord> records = new TreeMap<>();
    private final Deque<LifeStep> done = new ArrayDeque<>();
    private Map<String, String> attributes = Map.of();
    private Optional<ContentSource> content = Optional.empty();
    private Optional<VolumeSpec> spec = Optional.empty();
    private Map<String, String> attached = Map.of();
    private PluginState staged = PluginState.NONE;
    private Optional<Path> device = Optional.empty();
    private final Map<String, PluginState> published = new TreeMap<>();

    VolumeLife(Bench bench, int number, VolumeMode mode) {
        this.bench = bench;
        this.number = number;
        this.mode = mode;
        this.notes = new KitNotes(bench.watch());
    }

    /** The bench. */
    public Bench bench() {
        return bench;
    }

    /** How it is used. */
    public VolumeMode mode() {
        return mode;
    }

    /** A capability that the plugin declares. */
    public <C extends Capability> C capability(Class<C> type) {
        return bench.plugin().capability(type).orElseThrow();
    }

    /** Which step the volume's own storage comes from. */
    private boolean isProvisioned() {
        return bench.plugin().capability(Provisioning.class).isPresent();
    }

    /** What a claim would ask for. A volume keeps its mode, so that one of another mode is another volume. */
    public ProvisionRequest request() {
        String group = mode == VolumeMode.BLOCK ? "8001" : "8000";
        return request("pvc-00000000-0000-4000-" + group + "-" + String.format(Locale.ROOT, "%012d", number));
    }

    /** The same for a volume of another name. */
    public ProvisionRequest request(String name) {
        return ProvisionRequestBuilder.builder()
                .volumeName(name)
                .claim(ObjectKey.of("kit", "claim-" + number))
                .claimUid("claim-uid-" + name)
                .claimLabels(Map.of())
                .claimAnnotations(Map.of())
                .requested(bench.subject().size())
                .accessModes(bench.subject().accessModes())
                .mode(mode)
                .className("kit")
                .parameters(bench.subject().parameters())
                .attributes(attributes)
                .mountOptions(List.of())
                .reclaimPolicy(ReclaimPolicy.DELETE)
                .selectedNode(bench.isOfNode() ? Optional.of(bench.subject().node()) : Optional.empty())
                .nodeLabels(bench.isOfNode() ? bench.nodeLabels(bench.subject().node()) : Map.of())
                .content(content)
                .build();
    }

    /** Has its storage hold something from the start. */
    public VolumeLife filledFrom(ContentSource source) {
        content = Optional.of(source);
        return this;
    }

    /** Has its claim name a class of attributes, which it shall have from the start. */
    public VolumeLife wanting(Map<String, String> parameters) {
        attributes = Map.copyOf(parameters);
        return this;
    }

    /** The volume; known once it has been provisioned, or from the start if it exists. */
    public VolumeSpec spec() {
        if (spec.isEmpty() && !isProvisioned()) {
            spec = Optional.of(of(existing()));
        }
        return spec.orElseThrow(() -> new IllegalStateException("volume " + number + " has not been provisioned"));
    }

    private VolumeSource existing() {
        return mode == VolumeMode.BLOCK
                ? bench.subject().existingDevice(bench.machine(), number).orElseThrow()
                : bench.subject().existing(bench.machine(), number);
    }

    /** A PersistentVolume with this source. */
    public VolumeSpec of(VolumeSource source) {
        return VolumeSpecBuilder.builder()
                .name(request().volumeName())
                .uid("pv-uid-" + (mode == VolumeMode.BLOCK ? "raw-" : "") + number)
                .source(source)
                .accessModes(bench.subject().accessModes())
                .mode(mode)
                .capacity(bench.subject().size())
                .mountOptions(List.of())
                .annotations(bench.subject().annotations())
                .build();
    }

    /** The same in another mode. */
    public static VolumeSpec withMode(VolumeSpec volume, VolumeMode mode) {
        return volume.withMode(mode);
    }

    /** Takes what provisioning answered. */
    void provisioned(VolumeTemplate made) {
        VolumeSpec plain = of(made.source());
        spec = Optional.of(plain.with()
                .accessModes(made.accessModes())
                .capacity(made.capacity())
                .annotations(made.annotations())
                .build());
    }

    /** Its identity. */
    public VolumeId id() {
        return bench.plugin().identify(spec().source());
    }

    /** A pod by number. */
    public PodRef pod(int pod) {
        return new PodRef("kit", "pod-" + pod, "pod-uid-" + number + "-" + pod);
    }

    /** Where a pod gets the volume. */
    public Path target(PodRef pod) {
        return bench.pods()
                .resolve(pod.uid())
                .resolve("volumes")
                .resolve(bench.plugin().describe().name().escaped())
                .resolve(spec().name());
    }

    /** Where the volume is prepared; absent if the plugin does not stage. */
    public Optional<Path> stagingPath() {
        return bench.plugin()
                .capability(Staging.class)
                .map(stager -> bench.staging().resolve(stager.stagingDirectory(spec(), id())));
    }

    /** What staging is asked for. */
    public StageRequest stageRequest() {
        return new StageRequest(spec(), stagingPath().orElseThrow(), attached, false);
    }

    /** What publishing is asked for. */
    public PublishRequest publishRequest(PodRef pod, boolean readOnly) {
        return PublishRequestBuilder.builder()
                .volume(spec())
                .pod(pod)
                .target(target(pod))
                .stagingPath(stagingPath())
                .readOnly(readOnly)
                .occasion(PublishRequest.Occasion.INITIAL)
                .build();
    }

    void attached(Map<String, String> answer) {
        attached = answer;
    }

    void staged(PluginState state) {
        staged = state;
    }

    PluginState staged() {
        return staged;
    }

    void mapped(Path path) {
        device = Optional.of(path);
    }

    /** The raw device that was answered last; empty if there is none. */
    public Optional<Path> device() {
        return device;
    }

    synchronized void published(PodRef pod, PluginState state) {
        published.put(pod.uid(), state);
    }

    synchronized PluginState published(PodRef pod) {
        return published.getOrDefault(pod.uid(), PluginState.NONE);
    }

    synchronized CallRecord record(String operation) {
        String key = operation + "/" + request().volumeName();
        boolean remembers = operation.startsWith("stage") || operation.startsWith("publish");
        return records.computeIfAbsent(key, name -> new CallRecord(name, remembers, notes));
    }

    /** What undoing is given when the answer was lost. */
    PluginState remembered(String operation) {
        return record(operation).remembered();
    }

    /** What a call of this volume is given. */
    public KitContext context(String operation) {
        return bench.context(record(operation));
    }

    /** The same with little time. */
    public KitContext hurried(String operation, Duration limit) {
        return bench.context(record(operation), limit);
    }

    /** A call for which there is no machine. */
    public OperationContext nowhere(String operation) {
        return bench.nowhere(record(operation));
    }

    /** A call on another node. */
    public OperationContext elsewhere(String operation, NodeRef node) {
        return bench.elsewhere(record(operation), node);
    }

    /** The steps by which it comes to a pod. */
    private List<LifeStep> way() {
        return mode == VolumeMode.BLOCK ? LifeStep.DEVICE_WAY : LifeStep.WAY;
    }

    /** Takes all steps up to one, without it. Skips the check if an ordinary volume cannot take that one. */
    public void before(LifeStep step) {
        for (LifeStep earlier : way()) {
            if (earlier == step) {
                bench.prerequisites().need(Prerequisites.step(step, mode));
                step.prepare(this);
                return;
            }
            if (earlier.applies(bench)) {
                must(earlier);
            }
        }
    }

    /** Takes the steps up to one, without it, that have not been taken. */
    public void onwardTo(LifeStep step) {
        for (LifeStep earlier : way()) {
            if (earlier == step) {
                step.prepare(this);
                return;
            }
            if (earlier.applies(bench) && !done.contains(earlier)) {
                must(earlier);
            }
        }
    }

    /** Takes all steps. */
    public void all() {
        for (LifeStep step : way()) {
            if (step.applies(bench)) {
                must(step);
            }
        }
    }

    /** Takes a step that has to succeed. Skips the check if an ordinary volume cannot take it. */
    public void must(LifeStep step) {
        bench.prerequisites().need(Prerequisites.step(step, mode));
        step.prepare(this);
        Outcome<?> outcome = attempt(step);
        if (!outcome.isDone()) {
            throw new BrokenRule(
                    Rule.ORDINARY_VOLUME_WORKS,
                    step.operation() + " of an ordinary volume was answered with " + Answers.text(outcome));
        }
    }

    /** Lives as far as ordinary volumes of this plugin can, and back. */
    void asFarAsPossible() {
        Prerequisites known = bench.prerequisites();
        for (LifeStep step : way()) {
            if (step.applies(bench)) {
                if (!known.works(Prerequisites.step(step, mode))) {
                    break;
                }
                must(step);
            }
        }
        for (LifeStep step : List.copyOf(done)) {
            if (step.undoable(bench) && known.works(Prerequisites.undoing(step, mode))) {
                mustUndo(step);
            }
        }
    }

    /**
     * Lives once, and notes what does not work. What was done is undone in any case.
     */
    void tryOut() {
        boolean good = true;
        for (LifeStep step : way()) {
            if (good && step.applies(bench)) {
                good = worked(Prerequisites.step(step, mode), () -> must(step));
            }
        }
        for (LifeStep step : List.copyOf(done)) {
            if (step.undoable(bench)) {
                worked(Prerequisites.undoing(step, mode), () -> mustUndo(step));
            }
        }
    }

    private boolean worked(String what, Runnable action) {
        bench.prerequisites().trying(what);
        try {
            action.run();
            return true;
        } catch (BrokenRule broken) {
            bench.prerequisites().broke(what, broken);
            return false;
        } catch (RuntimeException failure) {
            bench.prerequisites()
                    .broke(
                            what,
                            new BrokenRule(Rule.ORDINARY_VOLUME_WORKS, what + ": " + failure.getMessage(), failure));
            return false;
        }
    }

    /** Remembers that a step has, or may have had, an effect. */
    void took(LifeStep step) {
        if (!done.contains(step)) {
            done.push(step);
        }
    }

    /** Repeats a call for as long as its answer says that repeating may help. */
    public static <T> Outcome<T> patiently(Supplier<Outcome<T>> call) {
        Outcome<T> outcome = call.get();
        for (int i = 1; i < PATIENCE && Answers.isPassing(outcome); i++) {
            outcome = call.get();
        }
        return outcome;
    }

    /** Takes a step, as often as its answer says that repeating may help. */
    public Outcome<?> attempt(LifeStep step) {
        return patiently(() -> step.act(this, context(step.operation())).map(answer -> (Object) answer));
    }

    /** Undoes one step. */
    public Outcome<?> undo(LifeStep step, boolean answerLost) {
        Outcome<?> outcome = patiently(() -> step.undo(this, context("undo " + step.operation()), answerLost));
        if (outcome.isDone()) {
            forget(step);
        }
        return outcome;
    }

    private void forget(LifeStep step) {
        done.remove(step);
        records.remove(step.operation() + "/" + request().volumeName());
        records.remove("undo " + step.operation() + "/" + request().volumeName());
        switch (step) {
            case PROVISION -> spec = Optional.empty();
            case ATTACH -> attached = Map.of();
            case STAGE -> staged = PluginState.NONE;
            case PUBLISH -> published.clear();
            case MAP -> device = Optional.empty();
        }
    }

    /**
     * Undoes everything, last step first; all of it has to succeed. What cannot be undone of an ordinary volume stays, with all that came
     * before it.
     */
    public void end() {
        for (LifeStep step : List.copyOf(done)) {
            if (step.undoable(bench)) {
                if (!bench.prerequisites().works(Prerequisites.undoing(step, mode))) {
                    bench.leave(Prerequisites.undoing(step, mode));
                    return;
                }
                mustUndo(step);
            }
        }
    }

    /** Undoes everything that came after a step. */
    public void backTo(LifeStep step) {
        for (LifeStep later : List.copyOf(done)) {
            if (later == step) {
                return;
            }
            if (later.undoable(bench)) {
                mustUndo(later);
            }
        }
    }

    private void mustUndo(LifeStep step) {
        Outcome<?> outcome = undo(step, false);
        if (!outcome.isDone()) {
            throw new BrokenRule(
                    Rule.NOTHING_LEFT_BEHIND,
                    "undoing " + step.operation() + " was answered with " + Answers.text(outcome));
        }
    }

    /** Whether an outcome is a refusal of one of these kinds. */
    public static boolean isRefused(Outcome<?> outcome, Refusal... kinds) {
        return Stream.of(kinds).anyMatch(outcome::isRefused);
    }
}
