// SPDX-License-Identifier: Apache-2.0
package dev.mooring.csi.server;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Attaching;
import dev.mooring.storage.spi.ControllerExpanding;
import dev.mooring.storage.spi.Deleting;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.Health;
import dev.mooring.storage.spi.Modifying;
import dev.mooring.storage.spi.NodeExpanding;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.PodRef;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.PublishRequest;
import dev.mooring.storage.spi.Publishing;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.StageRequest;
import dev.mooring.storage.spi.Staging;
import dev.mooring.storage.spi.Statistics;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeTemplate;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/**
 * A back-end in memory with every capability that a driver can show. It notes each call as a line, and a test may replace the answer of the
 * next ones: the work is then not done.
 */
class WholePlugin
        implements StoragePlugin,
                Provisioning,
                Deleting,
                Attaching,
                ControllerExpanding,
                Modifying,
                Health,
                Staging,
                Publishing,
                NodeExpanding,
                Statistics {
    static final String TYPE = "whole";
    private static final PluginName NAME = new PluginName("example.com/whole");

    final List<String> calls = new CopyOnWriteArrayList<>();
    /** What becomes of an answer. */
    volatile UnaryOperator<Outcome<?>> faults = UnaryOperator.identity();

    @SuppressWarnings("unchecked") // a fault has no value of its own
    <T> Outcome<T> answer(String call, Outcome<T> outcome) {
        calls.add(call);
        return (Outcome<T>) faults.apply(outcome);
    }

    @Override
    public PluginDescriptor describe() {
        return PluginDescriptor.of(NAME, List.of(TYPE), Place.CONTROLLER)
                .withSupportsMountOptions(true)
                .withManagesOwnership(true);
    }

    @Override
    public VolumeId identify(VolumeSource source) {
        return new VolumeId(NAME, source.attributes().text("disk").orElse("none"));
    }

    @Override
    public List<FieldProblem> validate(VolumeSource source) {
        return source.attributes().text("disk").isPresent()
                ? List.of()
                : List.of(new FieldProblem("whole.disk", "is missing"));
    }

    @Override
    public Outcome<VolumeTemplate> plan(ProvisionRequest request) {
        VolumeSource source = new VolumeSource(TYPE, Document.of(Map.of("disk", request.volumeName())));
        return Outcome.done(new VolumeTemplate(
                source, request.requested(), request.accessModes(), Optional.empty(), Map.of("note", "kept")));
    }

    @Override
    public Outcome<VolumeTemplate> provision(OperationContext context, ProvisionRequest request, VolumeTemplate plan) {
        boolean known = request.attributes().keySet().equals(Set.of())
                || request.attributes().containsKey("iops");
        return answer(
                "provision " + request.volumeName(),
                known ? Outcome.done(plan) : Outcome.refused(Refusal.INVALID, "there is no such attribute"));
    }

    @Override
    public Outcome<Nothing> delete(OperationContext context, VolumeSpec volume) {
        return answer("delete " + volume.name() + " " + volume.annotations(), Outcome.done());
    }

    @Override
    public boolean requiresAttach(VolumeSpec volume) {
        return true;
    }

    @Override
    public Outcome<Map<String, String>> attach(OperationContext context, VolumeSpec volume, NodeRef node) {
        return answer("attach " + volume.name() + " " + node, Outcome.done(Map.of("device", "/dev/" + node)));
    }

    @Override
    public Outcome<Nothing> detach(OperationContext context, VolumeId volume, NodeRef node) {
        return answer("detach " + volume.backend() + " " + node, Outcome.done());
    }

    @Override
    public Map<VolumeId, State> observe(OperationContext context, NodeRef node, Set<VolumeId> volumes) {
        return Map.of();
    }

    @Override
    public Outcome<Expansion> expand(OperationContext context, VolumeSpec volume, Quantity wanted) {
        return answer("expand " + volume.name(), Outcome.done(new Expansion(wanted, true)));
    }

    @Override
    public Outcome<Nothing> modify(OperationContext context, VolumeSpec volume, Map<String, String> parameters) {
        return answer(
                "modify " + parameters,
                parameters.keySet().equals(Set.of("iops")) || parameters.isEmpty()
                        ? Outcome.done()
                        : Outcome.refused(Refusal.INVALID, "there is no such attribute"));
    }

    @Override
    public Outcome<Condition> check(OperationContext context, VolumeSpec volume) {
        return answer("check", Outcome.done(new Condition(true, "degraded")));
    }

    @Override
    public Outcome<PluginState> stage(OperationContext context, StageRequest request) {
        return answer(
                "stage " + request.attached() + " " + request.volume().mountOptions(),
                Outcome.done(new PluginState(3, "staged \"here\"")));
    }

    @Override
    public Outcome<Nothing> unstage(OperationContext context, VolumeId volume, Path stagingPath, PluginState state) {
        return answer("unstage " + state.content(), Outcome.done());
    }

    @Override
    public Outcome<PluginState> publish(OperationContext context, PublishRequest request) {
        return answer(
                "publish " + request.occasion() + " " + request.readOnly(),
                Outcome.done(new PluginState(4, "published")));
    }

    @Override
    public Outcome<Nothing> unpublish(
            OperationContext context, VolumeId volume, PodRef pod, Path target, PluginState state) {
        return answer("unpublish " + state.content() + " " + pod, Outcome.done());
    }

    @Override
    public Outcome<Quantity> expandOnNode(OperationContext context, VolumeSpec volume, Path path, Quantity wanted) {
        return answer("grow " + path.getFileName(), Outcome.done(wanted));
    }

    @Override
    public Outcome<Usage> usage(OperationContext context, VolumeId volume, Path path) {
        return answer("measure", Outcome.done(new Usage(100, 40, 60, 10, 7)));
    }
}
