// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.VolumeSource;
import dev.mooring.storage.spi.FieldProblem;
import dev.mooring.storage.spi.FoundVolume;
import dev.mooring.storage.spi.OperationContext;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Place;
import dev.mooring.storage.spi.PluginDescriptor;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.Provisioning;
import dev.mooring.storage.spi.StoragePlugin;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeTemplate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * A plugin with a call of the controllers and one of the node that do not end as they should: in a test as it is told, and in a process
 * of its own never, whatever is asked of them; there it says on standard output that it is called.
 */
public final class StuckPlugin implements StoragePlugin, Provisioning {
    /** Its name. */
    public static final String NAME = "stuck.example.org";

    private static final PluginName PLUGIN = new PluginName(NAME);
    private static final PluginDescriptor DESCRIPTOR = PluginDescriptor.of(PLUGIN, List.of("stuck"), Place.CONTROLLER);

    private final Consumer<OperationContext> provisioning;
    private final Consumer<OperationContext> discovering;

    /** For a process of its own. */
    public StuckPlugin() {
        this(context -> hang("provision"), context -> hang("discover"));
    }

    /** With what its calls do before they answer. */
    public StuckPlugin(Consumer<OperationContext> provisioning, Consumer<OperationContext> discovering) {
        this.provisioning = provisioning;
        this.discovering = discovering;
    }

    /** What stands on standard output when a call has begun. */
    public static String line(String call) {
        return "stuck in " + call;
    }

    /** Something for the class path of a process that shall have this plugin. */
    public static Path services(Path directory) throws IOException {
        Path services = Files.createDirectories(directory.resolve("META-INF/services"));
        Files.writeString(services.resolve(StoragePlugin.class.getName()), StuckPlugin.class.getName() + "\n");
        return directory;
    }

    private static void hang(String call) {
        System.out.println(line(call));
        CountDownLatch never = new CountDownLatch(1);
        while (never.getCount() > 0) {
            try {
                never.await();
            } catch (InterruptedException e) {
                // Asking does not help.
            }
        }
    }

    @Override
    public PluginDescriptor describe() {
        return DESCRIPTOR;
    }

    @Override
    public VolumeId identify(VolumeSource source) {
        return new VolumeId(PLUGIN, "one");
    }

    @Override
    public List<FieldProblem> validate(VolumeSource source) {
        return List.of();
    }

    @Override
    public Outcome<VolumeTemplate> plan(ProvisionRequest request) {
        VolumeSource source = new VolumeSource("csi", Document.of(Map.of("driver", NAME, "volumeHandle", "one")));
        return Outcome.done(
                new VolumeTemplate(source, request.requested(), request.accessModes(), Optional.empty(), Map.of()));
    }

    @Override
    public Outcome<VolumeTemplate> provision(OperationContext context, ProvisionRequest request, VolumeTemplate plan) {
        provisioning.accept(context);
        return Outcome.deferred("it was called off");
    }

    @Override
    public boolean discovers() {
        return true;
    }

    @Override
    public Outcome<List<FoundVolume>> discover(OperationContext context, Map<String, String> nodeLabels) {
        discovering.accept(context);
        return Outcome.done(List.of());
    }
}
