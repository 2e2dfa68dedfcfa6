// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import dev.mooring.binder.calls.ProvisionCall;
import dev.mooring.runtime.control.Call;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.Deleting;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.Recycling;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeTemplate;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Serves NFS sources, in name only: the cluster's back-end answers the calls. */
record ToyPlugin(Place place) implements StoragePlugin, Provisioning, Deleting, Recycling {
    static final String NAME = "toy.example.com/nfs";

    Outcome<?> answer(Call call) {
        return call instanceof ProvisionCall provision ? Outcome.done(provision.plan()) : Outcome.done();
    }

    @Override
    public PluginDescriptor describe() {
        return PluginDescriptor.of(new PluginName(NAME), List.of("nfs"), place).withSupportsMountOptions(true);
    }

    @Override
    public VolumeId identify(VolumeSource source) {
        return new VolumeId(describe().name(), source.attributes().toString());
    }

    @Override
    public List<FieldProblem> validate(VolumeSource source) {
        return List.of();
    }

    /** The labels of the node that was chosen are remembered as annotations. */
    @Override
    public Outcome<VolumeTemplate> plan(ProvisionRequest request) {
        VolumeSource source = new VolumeSource(
                "nfs", Document.of(Map.of("server", "nfs.example.com", "path", "/" + request.volumeName())));
        return Outcome.done(new VolumeTemplate(
                source, request.requested(), request.accessModes(), Optional.empty(), request.nodeLabels()));
    }

    @Override
    public Outcome<VolumeTemplate> provision(OperationContext context, ProvisionRequest request, VolumeTemplate plan) {
        return Outcome.done(plan);
    }

    @Override
    public Outcome<Nothing> delete(OperationContext context, VolumeSpec volume) {
        return Outcome.done();
    }

    @Override
    public Outcome<Nothing> recycle(OperationContext context, VolumeSpec volume) {
        return Outcome.done();
    }
}
