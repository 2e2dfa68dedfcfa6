// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution;

import dev.mooring.distribution.option.OutputOption;
import dev.mooring.distribution.plugin.Capabilities;
import dev.mooring.distribution.plugin.InstalledPlugin;
import dev.mooring.distribution.plugin.InstalledPlugins;
import dev.mooring.distribution.plugin.Plugins;
import dev.mooring.distribution.plugin.UnusableDirectory;
import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code mooring plugins}: what is loaded, and what cannot be. */
@Command(
        name = "plugins",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {
            "Lists the plugins and the directories of plugins/ that cannot be used.",
            "Shows what each plugin serves and can do, and which rule each unusable directory breaks.",
            "Exit status: 0 every directory is used, 1 a directory is not."
        })
final class PluginsCommand implements Callable<Integer> {
    private static final int SOME_UNUSABLE = 1;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private OutputOption output = new OutputOption();

    @Override
    public Integer call() {
        InstalledPlugins all = Plugins.found();
        PrintWriter out = spec.commandLine().getOut();
        if (output.isJson()) {
            out.println(KubernetesJson.standard().writeIndented(document(all)));
        } else {
            all.loaded().forEach(each -> print(out, each));
            all.unusable().forEach(each -> out.println("NOT USED  " + each));
        }
        out.flush();
        return all.unusable().isEmpty() ? 0 : SOME_UNUSABLE;
    }

    private static void print(PrintWriter out, InstalledPlugin each) {
        out.println(each.descriptor().name() + "  (" + each.origin() + ")");
        out.println("    serves  " + String.join(", ", each.descriptor().sourceTypes()));
        out.println("    can     " + String.join(", ", Capabilities.of(each.plugin())));
    }

    private static Document document(InstalledPlugins all) {
        Map<String, Object> fields = new TreeMap<>();
        fields.put(
                "plugins", all.loaded().stream().map(PluginsCommand::document).toList());
        fields.put(
                "unusable",
                all.unusable().stream().map(PluginsCommand::document).toList());
        return Document.of(fields);
    }

    private static Map<String, Object> document(InstalledPlugin each) {
        Map<String, Object> fields = new TreeMap<>();
        fields.put("name", each.descriptor().name().value());
        fields.put("sourceTypes", List.copyOf(each.descriptor().sourceTypes()));
        fields.put("capabilities", Capabilities.of(each.plugin()));
        each.directory().ifPresent(directory -> fields.put("directory", directory.toString()));
        return fields;
    }

    private static Map<String, Object> document(UnusableDirectory each) {
        return new TreeMap<>(Map.of(
                "directory", each.directory().toString(), "rule", each.rule().name(), "why", each.why()));
    }
}
