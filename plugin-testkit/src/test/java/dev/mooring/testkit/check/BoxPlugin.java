// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.check;

import dev.mooring.storage.model.CsiSource;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.Modifying;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeTemplate;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.PinnedPath;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Makes boxes with an attribute each, and refuses to make one that exists with another attribute. */
final class BoxPlugin implements StoragePlugin, Provisioning, Modifying {
    static final String SPEED = "speed";

    private static final PluginName NAME = new PluginName("box.example.com");
    private static final String NEW = "usual";

    /** What can be wrong with it. */
    enum Mistake {
        /** Nothing. */
        NONE,
        /** New boxes are as usual, whatever they shall have. */
        GIVES_NOTHING_FROM_THE_START,
        /** Of a new box it looks at what it knows. */
        TAKES_UNKNOWN_FROM_THE_START
    }

    private final Path boxes;
    private final Mistake mistake;

    BoxPlugin(Path boxes, Mistake mistake) {
        this.boxes = boxes;
        this.mistake = mistake;
    }

    @Override
    public PluginDescriptor describe() {
        return PluginDescriptor.of(NAME, List.of(), Place.NODE).withManagesOwnership(true);
    }

    @Override
    public VolumeId identify(VolumeSource source) {
        return new VolumeId(NAME, CsiSource.of(source).orElseThrow().volumeHandle());
    }

    @Override
    public List<FieldProblem> validate(VolumeSource source) {
        return List.of();
    }

    @Override
    public Outcome<VolumeTemplate> plan(ProvisionRequest request) {
        if (mistake != Mistake.TAKES_UNKNOWN_FROM_THE_START
                && !Set.of(SPEED).containsAll(request.attributes().keySet())) {
            return Outcome.refused(Refusal.INVALID, "a box has a speed");
        }
        VolumeSource source = new CsiSource(NAME.value(), request.volumeName(), "", false, Map.of()).toSource();
        return Outcome.done(
                new VolumeTemplate(source, request.requested(), request.accessModes(), Optional.empty(), Map.of()));
    }

    @Override
    public Outcome<VolumeTemplate> provision(OperationContext context, ProvisionRequest request, VolumeTemplate plan) {
        String wanted = mistake == Mistake.GIVES_NOTHING_FROM_THE_START
                ? NEW
                : request.attributes().getOrDefault(SPEED, NEW);
        return context.host()
                .files()
                .openOrMake(boxes.resolve(request.volumeName()), LinkRule.REFUSE, FileKind.DIRECTORY, 0700)
                .then(made -> {
                    try (PinnedPath box = made.path()) {
                        return box.readFile(SPEED, 64)
                                .then(speed -> speed.isEmpty()
                                        ? write(box, wanted)
                                        : new String(speed.get(), StandardCharsets.UTF_8).equals(wanted)
                                                ? Outcome.done()
                                                : Outcome.refused(Refusal.INCOMPATIBLE, "it exists and is another"));
                    }
                })
                .map(nothing -> plan);
    }

    private static Outcome<Nothing> write(PinnedPath box, String speed) {
        return box.writeFile(SPEED, speed.getBytes(StandardCharsets.UTF_8), 0600);
    }

    @Override
    public Outcome<Nothing> modify(OperationContext context, VolumeSpec volume, Map<String, String> parameters) {
        if (!parameters.keySet().equals(Set.of(SPEED))) {
            return Outcome.refused(Refusal.INVALID, "a box has a speed");
        }
        return context.host()
                .files()
                .open(boxes.resolve(volume.name()), LinkRule.REFUSE)
                .then(opened -> {
                    try (PinnedPath box = opened) {
                        return write(box, parameters.getOrDefault(SPEED, NEW));
                    }
                });
    }
}
